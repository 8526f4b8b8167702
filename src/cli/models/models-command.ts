import { Command } from 'commander'
import type { Config } from '../../config/config.js'
import type { ModelsConfig } from '../../packs/ensure-pack.js'
import { runList } from './list-command.js'
import { MODELS_TERMINAL, type ModelsTerminal } from './models-terminal.js'
import { PackError } from '../../packs/pack-error.js'
import { listPacks, resolvePack } from '../../packs/pack-folder.js'
import { runPull, type PullOptions } from './pull-command.js'
import { selectedPacks } from '../../packs/selected-packs.js'
import { runVerify } from './verify-command.js'

interface NamesOptions {
  all?: boolean
  json?: boolean
}

const NAMES = '[names...]'
const NAMES_HELP = 'packs; without any, those the configuration selects'

/**
 * The commands on model packs. A failure sets exit code 1; wrong usage, such as a pack that does not exist,
 * throws a CommanderError.
 */
export function modelsCommand(
  config: ModelsConfig & Pick<Config, 'packs'>,
  terminal: ModelsTerminal = MODELS_TERMINAL,
): Command {
  const models = new Command('models')
    .description('List, pull and verify the model packs.')
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    })
    .exitOverride()
  const guard = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof PackError)) throw error
      if (error.code === 'unknown_pack') models.error(error.message)
      terminal.stderr.write(`${error.message}\n`)
      terminal.setExitCode(1)
    }
  }

  models
    .command('list')
    .description('Show every pack with its state and licence; hashes nothing.')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) => guard(() => runList(config, terminal, options)))
  models
    .command('pull')
    .description('Fetch what is missing of packs and verify them.')
    .argument(NAMES, NAMES_HELP)
    .option('--all', 'every pack')
    .option('--offline', 'use no network')
    .option('--json', 'print JSON')
    .action((names: string[], options: NamesOptions & PullOptions) =>
      guard(async () => runPull(config, terminal, await chosen(config, names, options), options)),
    )
  models
    .command('verify')
    .description('Hash every file of packs; pin the files whose hash nothing states yet.')
    .argument(NAMES, NAMES_HELP)
    .option('--all', 'every pack')
    .option('--json', 'print JSON')
    .action((names: string[], options: NamesOptions) =>
      guard(async () => runVerify(config, terminal, await chosen(config, names, options), options)),
    )
  models
    .command('path')
    .description('Print the folder of a pack.')
    .argument('<name>', 'the pack')
    .action((name: string) =>
      guard(async () => {
        const { folder } = await resolvePack(config.modelsDir, name)
        terminal.stdout.write(`${folder}\n`)
      }),
    )
  return models
}

/** @throws PackError `unknown_pack` before anything is done for the others */
async function chosen(
  config: Pick<Config, 'modelsDir' | 'packs'>,
  names: string[],
  options: NamesOptions,
): Promise<string[]> {
  if (options.all) return (await listPacks(config.modelsDir)).map(({ name }) => name)
  const wanted = names.length > 0 ? names : selectedPacks(config).map(({ name }) => name)
  for (const name of wanted) {
    await resolvePack(config.modelsDir, name).catch((error: unknown) => {
      if (error instanceof PackError && error.code !== 'unknown_pack') return
      throw error
    })
  }
  return [...new Set(wanted)]
}
