import cliProgress from 'cli-progress'
import { formatBytes } from './format-bytes.js'
import type { PackProgress, PullSettings } from './pull-settings.js'

/** Smaller files are done before anyone could read their progress. */
const MIN_SHOWN_BYTES = 1_000_000
/** Hashing a smaller file takes less than about two seconds. */
const MIN_SHOWN_HASHING_BYTES = 1_000_000_000

const PHASE_LABELS = { download: 'pulling', merge: 'merging', verify: 'verifying' }

export interface ProgressStream extends NodeJS.WritableStream {
  isTTY?: boolean
}

export type PullProgress = Required<Pick<PullSettings, 'onProgress' | 'onNotice'>> & {
  /** Removes the bars. Nothing may be reported afterwards. */
  stop: () => void
}

/** Shows the progress of a pull: bars on a terminal, otherwise a line for each 10 % of a file. */
export function showPullProgress(stream: ProgressStream): PullProgress {
  const show = stream.isTTY ? showBars(stream) : showLines(stream)
  return {
    ...show,
    onProgress: (progress) => {
      const { phase, totalBytes = MIN_SHOWN_BYTES } = progress
      const minBytes = phase === 'verify' ? MIN_SHOWN_HASHING_BYTES : MIN_SHOWN_BYTES
      if (totalBytes >= minBytes) show.onProgress(progress)
    },
  }
}

function showBars(stream: ProgressStream): PullProgress {
  const bars = new cliProgress.MultiBar({
    stream,
    format: '{bar} {percentage}% | {amount} | {label}',
    barsize: 24,
    clearOnComplete: true,
    hideCursor: false,
    // Its signal handlers would keep SIGINT and SIGTERM from ending the process.
    gracefulExit: false,
  })
  const shown = new Map<string, cliProgress.SingleBar>()
  return {
    onProgress: (progress) => {
      const key = `${progress.pack}/${progress.file}`
      const totalBytes = progress.totalBytes ?? 0
      const payload = { label: formatLabel(progress), amount: formatAmount(progress) }
      const bar = shown.get(key)
      if (!bar) {
        shown.set(key, bars.create(totalBytes, progress.doneBytes, payload))
        return
      }
      if (bar.getTotal() !== totalBytes) bar.setTotal(totalBytes)
      bar.update(progress.doneBytes, payload)
    },
    onNotice: (message) => {
      if (shown.size > 0) bars.log(`${message}\n`)
      else stream.write(`${message}\n`)
    },
    stop: () => {
      if (shown.size > 0) bars.stop()
    },
  }
}

function showLines(stream: ProgressStream): PullProgress {
  const tenths = new Map<string, number>()
  return {
    onProgress: (progress) => {
      const { doneBytes, totalBytes } = progress
      if (!totalBytes) return
      const key = `${progress.phase} ${progress.pack}/${progress.file}`
      const tenth = Math.floor((10 * doneBytes) / totalBytes)
      if (tenth <= (tenths.get(key) ?? 0)) return
      tenths.set(key, tenth)
      stream.write(`${formatLabel(progress)}: ${tenth}0 % (${formatAmount(progress)})\n`)
    },
    onNotice: (message) => stream.write(`${message}\n`),
    stop: () => undefined,
  }
}

function formatLabel({ pack, file, phase }: PackProgress): string {
  return `${PHASE_LABELS[phase]} ${pack}/${file}`
}

function formatAmount({ doneBytes, totalBytes }: PackProgress): string {
  const of = totalBytes === undefined ? '' : ` of ${formatBytes(totalBytes)}`
  return formatBytes(doneBytes) + of
}
