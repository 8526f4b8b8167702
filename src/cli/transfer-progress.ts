import cliProgress from 'cli-progress'
import type { ProgressStream } from '../packs/pull-progress.js'
import type { TransferPhase, TransferProgress } from '../transfer/transfer-installation.js'

const LABELS: Record<TransferPhase, string> = {
  reading: 'reading the data folder',
  moving: 'moving',
  comparing: 'comparing',
}
const NUMBERS = new Intl.NumberFormat('en')

export interface ShownProgress {
  onProgress: (progress: TransferProgress) => void
  /** Removes the bar. */
  stop: () => void
}

/** Shows the progress of a transfer: a bar on a terminal, otherwise a line for each tenth, with an estimate of the rest. */
export function showTransferProgress(
  stream: ProgressStream,
  clock: () => number = () => performance.now(),
): ShownProgress {
  const estimate = createEstimate(clock)
  const show = stream.isTTY ? showBar(stream) : showLines(stream)
  return {
    stop: show.stop,
    onProgress: (progress) => show.onProgress(progress, estimate(progress)),
  }
}

type Show = (progress: TransferProgress, estimate: string) => void

/** The rest takes as long as the rows of this run did, one by one; those of an interrupted run do not count. */
function createEstimate(clock: () => number): (progress: TransferProgress) => string {
  let phase: TransferPhase | undefined
  let start = { at: 0, rows: 0 }
  return (progress) => {
    const { doneRows, totalRows } = progress
    if (progress.phase !== phase) {
      phase = progress.phase
      start = { at: clock(), rows: doneRows }
    }
    const rows = doneRows - start.rows
    if (totalRows === undefined || rows <= 0) return ''
    const seconds = ((clock() - start.at) / 1_000 / rows) * (totalRows - doneRows)
    return `, about ${formatDuration(seconds)} left`
  }
}

function formatDuration(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`
  return `${Math.ceil(seconds / 60)} min`
}

function showBar(stream: ProgressStream): { onProgress: Show; stop: () => void } {
  const bar = new cliProgress.SingleBar({
    stream,
    format: '{bar} {percentage}% | {label}',
    barsize: 24,
    clearOnComplete: true,
    hideCursor: false,
    // Its signal handlers would keep SIGINT and SIGTERM from ending the process.
    gracefulExit: false,
  })
  let isShown = false
  return {
    onProgress: (progress, estimate) => {
      const { doneRows, totalRows = 0 } = progress
      const payload = { label: formatLabel(progress) + estimate }
      if (!isShown) bar.start(totalRows, doneRows, payload)
      isShown = true
      if (bar.getTotal() !== totalRows) bar.setTotal(totalRows)
      bar.update(doneRows, payload)
    },
    stop: () => {
      if (isShown) bar.stop()
    },
  }
}

function showLines(stream: ProgressStream): { onProgress: Show; stop: () => void } {
  let shown = ''
  return {
    onProgress: (progress, estimate) => {
      const { phase, doneRows, totalRows } = progress
      const tenth = totalRows ? Math.floor((10 * doneRows) / totalRows) : 0
      const key = `${phase} ${tenth}`
      if (key === shown) return
      shown = key
      const share = totalRows === undefined ? '' : `: ${10 * tenth} %`
      stream.write(`${formatLabel(progress)}${share}${estimate}\n`)
    },
    stop: () => undefined,
  }
}

function formatLabel({ phase, table, doneRows, totalRows }: TransferProgress): string {
  if (totalRows === undefined) return LABELS[phase]
  return `${LABELS[phase]} ${table} (${NUMBERS.format(doneRows)} of ${NUMBERS.format(totalRows)} rows)`
}
