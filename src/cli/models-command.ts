import { Command } from 'commander'
import type { Config } from '../config/config.js'
import { OperatorError } from '../core/operator-error.js'
import type { ModelsConfig } from '../packs/ensure-pack.js'
import { formatBytes } from '../packs/format-bytes.js'
import { PackError } from '../packs/pack-error.js'
import { resolvePack } from '../packs/pack-folder.js'
import { pullNamedPack, type PullReport } from '../packs/pull-named-pack.js'
import { showPullProgress } from '../packs/pull-progress.js'
import { choosePackNames } from '../packs/selected-packs.js'
import { summarizePacks, type PackSummary } from '../packs/summarize-packs.js'
import { verifyPack, type VerifyReport } from '../packs/verify-pack.js'
import { formatJson, formatRows, PROCESS_TERMINAL, type Row, type Terminal } from './terminal.js'

interface NamesOptions {
  all?: boolean
  json?: boolean
}

const NAMES = '[names...]'
const NAMES_HELP = 'packs; default: those selected by the configuration'

/**
 * The commands for model packs. A failed command throws an OperatorError, wrong usage such as an unknown pack a
 * CommanderError.
 */
export function modelsCommand(
  config: ModelsConfig & Pick<Config, 'packs'>,
  terminal: Terminal = PROCESS_TERMINAL,
): Command {
  const models = new Command('models')
    .description('List, pull and verify model packs.')
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.error(text),
    })
    .exitOverride()
  const orUsageError = <T>(result: Promise<T>): Promise<T> =>
    result.catch((error: unknown) => {
      if (error instanceof PackError && error.code === 'unknown_pack') models.error(error.message)
      throw error
    })

  models
    .command('list')
    .description('List all packs with state and licence, without hashing files.')
    .option('--json', 'print JSON')
    .action(async (options: { json?: boolean }) => {
      const summaries = await summarizePacks(config)
      terminal.out(options.json ? formatJson(summaries) : formatRows(summaries.map(packRow), {}))
      if (options.json) return
      for (const { state, problem } of summaries) {
        if (state === 'invalid') terminal.error(`${problem}\n`)
      }
    })
  models
    .command('pull')
    .description('Download the missing files of packs and verify them.')
    .argument(NAMES, NAMES_HELP)
    .option('--all', 'all packs')
    .option('--offline', 'do not use the network')
    .option('--json', 'print JSON')
    .action(async (names: string[], options: NamesOptions & { offline?: boolean }) => {
      const chosen = await orUsageError(choosePackNames(config, { names, all: options.all }))
      const modelsOffline = config.modelsOffline || (options.offline ?? false)
      await pullPacks({ ...config, modelsOffline }, terminal, chosen, options)
    })
  models
    .command('verify')
    .description('Hash all files of packs; pin hashes that are not stated anywhere yet.')
    .argument(NAMES, NAMES_HELP)
    .option('--all', 'all packs')
    .option('--json', 'print JSON')
    .action(async (names: string[], options: NamesOptions) => {
      const chosen = await orUsageError(choosePackNames(config, { names, all: options.all }))
      await verifyPacks(config, terminal, chosen, options)
    })
  models
    .command('path')
    .description('Print the folder of a pack.')
    .argument('<name>', 'name of the pack')
    .action(async (name: string) => {
      const { folder } = await orUsageError(resolvePack(config.modelsDir, name))
      terminal.out(`${folder}\n`)
    })
  return models
}

/** Pulls packs one after the other, past failures. Ctrl-C stops the pull; the next one continues partial downloads. */
async function pullPacks(
  config: ModelsConfig,
  terminal: Terminal,
  names: readonly string[],
  { json }: { json?: boolean },
): Promise<void> {
  const controller = new AbortController()
  const interrupt = () => controller.abort()
  process.once('SIGINT', interrupt)
  const reports: PullReport[] = []
  try {
    for (const name of names) {
      const { stop, ...progress } = showPullProgress(terminal.progress ?? process.stderr)
      const options = { ...progress, signal: controller.signal }
      const report = await pullNamedPack(config, name, options).finally(stop)
      reports.push(report)
      if (!json) printPull(terminal, report)
    }
  } catch (error) {
    if (!controller.signal.aborted) throw error
    terminal.error(
      'Stopped. The next pull continues where this one stopped, if the server allows.\n',
    )
    process.exitCode = 130
    return
  } finally {
    process.off('SIGINT', interrupt)
  }
  if (json) terminal.out(formatJson(reports))
  const failed = reports.filter(({ state }) => state === 'failed').length
  if (failed > 0) throw new OperatorError(`${failed} of ${reports.length} packs were not pulled.`)
}

async function verifyPacks(
  { modelsDir }: Pick<Config, 'modelsDir'>,
  terminal: Terminal,
  names: readonly string[],
  { json }: { json?: boolean },
): Promise<void> {
  const { stop, ...progress } = showPullProgress(terminal.progress ?? process.stderr)
  const reports: VerifyReport[] = []
  try {
    for (const name of names) {
      const report = await verifyPack(modelsDir, name, progress)
      reports.push(report)
      if (!json) printVerification(terminal, report)
    }
  } finally {
    stop()
  }
  if (json) terminal.out(formatJson(reports))
  const failed = reports.filter(({ state }) => state !== 'ready').length
  if (failed > 0) throw new OperatorError(`${failed} of ${reports.length} packs are not ready.`)
}

function packRow({ name, role, sizeBytes, state, licence, selectedBy }: PackSummary): Row {
  return {
    name,
    role: role ?? null,
    size: sizeBytes ? formatBytes(sizeBytes) : null,
    state: state.replace('-', ' '),
    licence: licence?.spdx ?? null,
    selected_by: selectedBy,
  }
}

function printPull(terminal: Terminal, report: PullReport): void {
  const { name, licence, files = [], problem } = report
  if (problem !== undefined) {
    terminal.error(`${name}: failed\n${problem.replace(/^/gm, '  ')}\n`)
    return
  }
  terminal.out(`${name}: ready, licence ${licence?.spdx} (${licence?.url})\n`)
  if (licence?.note) terminal.out(`  note: ${licence.note}\n`)
  for (const { path, source, pinned } of files) {
    const origin = source === 'present' ? 'already present' : `pulled from ${source}`
    terminal.out(`  ${path}: ${origin}${pinned ? ', pinned in models.lock.json' : ''}\n`)
  }
}

function printVerification(terminal: Terminal, report: VerifyReport): void {
  const { name, state, revision, files, problem } = report
  const suffix = revision === undefined ? '' : `, revision ${revision}`
  terminal.out(`${name}: ${state.replace('-', ' ')}${suffix}\n`)
  for (const file of files) {
    const pinned = file.pinned ? ', pinned in models.lock.json' : ''
    const hash = file.sha256 === undefined ? '' : `, sha256 ${file.sha256}`
    terminal.out(`  ${file.path}: ${file.state.replace('-', ' ')}${hash}${pinned}\n`)
  }
  if (problem !== undefined) terminal.error(`${problem.replace(/^/gm, '  ')}\n`)
}
