import { pullSettings, type ModelsConfig } from '../../packs/ensure-pack.js'
import type { PackManifest } from '../../packs/manifest.js'
import { formatJson, type ModelsTerminal } from './models-terminal.js'
import { PackError } from '../../packs/pack-error.js'
import { resolvePack } from '../../packs/pack-folder.js'
import type { PulledFile } from '../../packs/pull-file.js'
import { pullPack } from '../../packs/pull-pack.js'
import { showPullProgress } from '../../packs/pull-progress.js'
import { describeSource } from '../../packs/sources/fetch-file.js'

export interface PullOptions {
  json?: boolean
  offline?: boolean
}

/** What a pull of one pack came to. */
interface PullReport {
  name: string
  state: 'ready' | 'failed'
  licence?: PackManifest['licence']
  /** Where each file came from; `present` when it was there already. */
  files?: { path: string; source: string; pinned: boolean }[]
  problem?: string
}

/** Pulls packs one after the other; a failing one does not stop the next. Ctrl-C keeps what is there for later. */
export async function runPull(
  config: ModelsConfig,
  terminal: ModelsTerminal,
  names: string[],
  options: PullOptions,
): Promise<void> {
  const controller = new AbortController()
  const interrupt = () => controller.abort()
  process.once('SIGINT', interrupt)
  const reports: PullReport[] = []
  try {
    for (const name of names) {
      const report = await pullOne(config, terminal, name, {
        offline: options.offline ?? false,
        signal: controller.signal,
      })
      reports.push(report)
      if (!options.json) printReport(terminal, report)
    }
  } catch (error) {
    if (!controller.signal.aborted) throw error
    terminal.setExitCode(130)
    terminal.stderr.write('Stopped. The next pull continues what a server lets it continue.\n')
    return
  } finally {
    process.off('SIGINT', interrupt)
  }
  if (options.json) terminal.stdout.write(formatJson(reports))
  if (reports.some(({ state }) => state === 'failed')) terminal.setExitCode(1)
}

async function pullOne(
  config: ModelsConfig,
  terminal: ModelsTerminal,
  name: string,
  options: { offline: boolean; signal: AbortSignal },
): Promise<PullReport> {
  const { onProgress, onNotice, stop } = showPullProgress(terminal.stderr)
  try {
    const pack = await resolvePack(config.modelsDir, name)
    const settings = pullSettings(config)
    const pulled = await pullPack(pack, {
      ...settings,
      offline: settings.offline || options.offline,
      signal: options.signal,
      onProgress,
      onNotice,
    })
    return { name, state: 'ready', licence: pack.manifest.licence, files: pulled.map(fileReport) }
  } catch (error) {
    if (!(error instanceof PackError)) throw error
    return { name, state: 'failed', problem: error.message }
  } finally {
    stop()
  }
}

function fileReport({ file, source, pinned }: PulledFile) {
  return { path: file.path, source: source ? describeSource(source) : 'present', pinned }
}

function printReport(terminal: ModelsTerminal, report: PullReport): void {
  const { name, licence, files = [], problem } = report
  if (problem !== undefined) {
    terminal.stderr.write(`${name}: failed\n${problem.replace(/^/gm, '  ')}\n`)
    return
  }
  terminal.stdout.write(`${name}: ready, licence ${licence?.spdx} (${licence?.url})\n`)
  if (licence?.note) terminal.stdout.write(`  note: ${licence.note}\n`)
  for (const { path, source, pinned } of files) {
    const from = source === 'present' ? 'was there' : `pulled from ${source}`
    terminal.stdout.write(`  ${path}: ${from}${pinned ? ', pinned in models.lock.json' : ''}\n`)
  }
}
