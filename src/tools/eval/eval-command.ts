import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { readConfig } from '../../config/config.js'
import { OperatorError } from '../../core/operator-error.js'
import { parseCount } from '../parse-count.js'
import type { PackNames } from './evaluation-report.js'
import { MEASURES } from './measures/all-measures.js'
import { readProfiles, type ProfilePairs } from './read-profiles.js'
import { gradeReading } from './reading/grade-reading.js'
import { prepareReading } from './reading/prepare-reading.js'
import { renderPage } from './report/page.js'
import { printSummary } from './report/summary.js'
import { runEvaluation } from './run-evaluation.js'

/** Every installation has its model. */
const DEFAULT_PERPLEXITY_PACK = 'smollm2-135m-openers'
const MEASURE_NAMES = MEASURES.map(({ name }) => name)

/** Options as commander parses them. */
interface EvalOptions {
  profiles?: string
  out: string
  packs?: PackNames[]
  only: string[]
  limit?: number
  seed: number
  perplexityBy: string
  photos?: string
  read?: boolean
  variant?: Map<string, string>
  grades?: string[]
}

/**
 * `npm run eval -- --profiles FILE --out DIR`: measures the quality of the answers. With `--read` it prepares a blind reading of
 * openers instead, and with `--grades` it computes what the readers thought. Sets the exit status to 2 when the
 * arguments are invalid, to 1 when the pairs or a pack cannot be used.
 * @param callerFolder - folder that paths in options are relative to
 */
export async function runEvalCommand(argv: readonly string[], callerFolder: string): Promise<void> {
  try {
    await evaluate(createCommand(callerFolder).parse(argv).opts<EvalOptions>())
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : 2
    } else if (error instanceof OperatorError) {
      console.error(error.message)
      process.exitCode = 1
    } else {
      throw error
    }
  }
}

async function evaluate(options: EvalOptions): Promise<void> {
  const { out, seed, grades } = options
  if (grades) {
    gradeReading({ out, grades, seed })
    return
  }
  if (options.profiles === undefined)
    throw new OperatorError('Name the pairs with --profiles FILE.')
  const data = readProfiles(options.profiles)
  const limited = { ...data, pairs: data.pairs.slice(0, options.limit) }
  const packs = options.packs ?? [configuredPacks()]
  mkdirSync(out, { recursive: true })
  if (options.read) {
    const variants = options.variant ?? new Map<string, string>()
    await prepareReading({ data: limited, packs: packs[0]!, out, variants, seed })
    return
  }
  await measure(limited, { ...options, packs })
}

async function measure(
  data: ProfilePairs,
  options: EvalOptions & { packs: readonly PackNames[] },
): Promise<void> {
  const report = await runEvaluation({
    data,
    packs: options.packs,
    only: options.only,
    seed: options.seed,
    photosFolder: options.photos,
    perplexityPack: options.perplexityBy,
  })
  const page = path.join(options.out, 'report.html')
  writeFileSync(path.join(options.out, 'report.json'), `${JSON.stringify(report, undefined, 2)}\n`)
  writeFileSync(page, renderPage(report))
  printSummary(report)
  console.log(`\nReport: ${page} and report.json`)
}

function configuredPacks(): PackNames {
  const { clip, llm } = readConfig().packs
  return { clip, llm }
}

function createCommand(callerFolder: string): Command {
  const inCallerFolder = (value: string) => path.resolve(callerFolder, value)
  return new Command('npm run eval --')
    .description('Measures the answers of the service on labelled profile pairs.')
    .option('--profiles <file>', 'labelled pairs, one JSON object a line', inCallerFolder)
    .requiredOption('--out <dir>', 'folder for report.json and report.html', inCallerFolder)
    .option(
      '--packs <clip+llm...>',
      'pairs of packs to compare, such as clip-lite+smollm2-135m-openers (default: the configured)',
      (value, earlier: PackNames[] | undefined) => [...(earlier ?? []), parsePacks(value)],
    )
    .option('--only <measures>', `some of ${MEASURE_NAMES.join(',')}`, parseMeasures, MEASURE_NAMES)
    .option('--limit <count>', 'take the first pairs only', parseCount)
    .option('--seed <number>', 'of the bootstrap', parseCount, 1)
    .option(
      '--perplexity-by <pack>',
      'language pack that computes the perplexity of openers',
      DEFAULT_PERPLEXITY_PACK,
    )
    .option('--photos <dir>', 'photos for the tags, one sub-folder a tag', (value) =>
      parseFolder(inCallerFolder(value)),
    )
    .option('--read', 'prepare a blind reading of openers: a sheet for readers, and its key')
    .option(
      '--variant <name=file>',
      'with --read: openers.json of an earlier reading of the same pairs; can be repeated',
      (value, earlier: Map<string, string> | undefined) =>
        new Map([...(earlier ?? []), parseVariant(value, inCallerFolder)]),
    )
    .option(
      '--grades <file...>',
      'what each reader wrote about the reading in --out: prints the table',
      (value, earlier: string[] | undefined) => [...(earlier ?? []), inCallerFolder(value)],
    )
    .exitOverride()
}

function parsePacks(value: string): PackNames {
  const [clip, llm, ...rest] = value.split('+')
  if (!clip || !llm || rest.length > 0) {
    throw new InvalidArgumentError('Write a vision pack and a language pack as clip+llm.')
  }
  return { clip, llm }
}

function parseVariant(
  value: string,
  inCallerFolder: (file: string) => string,
): [name: string, file: string] {
  const [name, ...file] = value.split('=')
  if (!name || file.length === 0) throw new InvalidArgumentError('Write it as name=file.')
  return [name, inCallerFolder(file.join('='))]
}

function parseMeasures(value: string): string[] {
  const names = value.split(',').filter(Boolean)
  const unknown = names.find((name) => !MEASURE_NAMES.includes(name))
  if (unknown !== undefined || names.length === 0) {
    throw new InvalidArgumentError(`There is no measure "${unknown ?? ''}".`)
  }
  return names
}

function parseFolder(folder: string): string {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new InvalidArgumentError('There is no such folder.')
  }
  return folder
}
