import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { prepare } from './prepare.js'

/** Measures how good the answers are: `npm run eval -- --profiles FILE --out DIR`; docs/evaluation.md explains it. */

/** Whose model every installation has. */
const PERPLEXITY_PACK = 'smollm2-135m-openers'

const from = process.cwd()
prepare()
const { Command, CommanderError, InvalidArgumentError } = await import('commander')
const { parseCount } = await import('../dist/tools/parse-count.js')
const { MEASURES } = await import('./eval/measures/all-measures.js')
const { ProfilesError, readProfiles } = await import('./eval/read-profiles.js')
const { runEvaluation } = await import('./eval/run-evaluation.js')
const { printSummary } = await import('./eval/report/summary.js')
const { renderPage } = await import('./eval/report/page.js')
const { readConfig } = await import('../dist/config/config.js')
const { OperatorError } = await import('../dist/core/operator-error.js')
const names = MEASURES.map(({ name }) => name)

try {
  const options = readOptions()
  const data = readProfiles(options.profiles)
  mkdirSync(options.out, { recursive: true })
  const report = await runEvaluation({
    data: { ...data, pairs: data.pairs.slice(0, options.limit) },
    packs: options.packs,
    only: options.only,
    seed: options.seed,
    photosDir: options.photos,
    perplexityBy: options.perplexityBy,
  })
  writeFileSync(path.join(options.out, 'report.json'), `${JSON.stringify(report, undefined, 2)}\n`)
  writeFileSync(path.join(options.out, 'report.html'), renderPage(report))
  printSummary(report)
  console.log(`\nReport: ${path.join(options.out, 'report.html')} and report.json`)
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else if (error instanceof ProfilesError || error instanceof OperatorError) {
    console.error(error.message)
    process.exitCode = 1
  } else throw error
}

function readOptions() {
  const inCallersFolder = (/** @type {string} */ value) => path.resolve(from, value)
  const options = new Command('npm run eval --')
    .description('Measures the answers of the service on labelled profile pairs.')
    .requiredOption('--profiles <file>', 'labelled pairs, one JSON object a line', inCallersFolder)
    .requiredOption('--out <dir>', 'folder for report.json and report.html', inCallersFolder)
    .option(
      '--packs <clip+llm...>',
      'pairs of packs to compare, such as clip-lite+smollm2-135m-openers (default: the configured)',
      (/** @type {string} */ value, /** @type {any[]} */ earlier) => [
        ...(earlier ?? []),
        parsePacks(value),
      ],
    )
    .option('--only <measures>', `some of ${names.join(',')}`, parseMeasures, names)
    .option('--limit <count>', 'take the first pairs only', parseCount)
    .option('--seed <number>', 'of the bootstrap', parseCount, 1)
    .option('--perplexity-by <pack>', 'language pack that judges openers', PERPLEXITY_PACK)
    .option('--photos <dir>', 'photos for the tags, one sub-folder a tag', parseFolder)
    .exitOverride()
    .parse()
    .opts()
  return { ...options, packs: options.packs ?? [configuredPacks()] }
}

function configuredPacks() {
  const { clip, llm } = readConfig().packs
  return { clip, llm }
}

function parsePacks(/** @type {string} */ value) {
  const [clip, llm, ...rest] = value.split('+')
  if (!clip || !llm || rest.length > 0) {
    throw new InvalidArgumentError('Write a vision pack and a language pack as clip+llm.')
  }
  return { clip, llm }
}

function parseMeasures(/** @type {string} */ value) {
  const wanted = value.split(',').filter(Boolean)
  const unknown = wanted.find((name) => !names.includes(name))
  if (unknown !== undefined || wanted.length === 0) {
    throw new InvalidArgumentError(`There is no measure "${unknown ?? ''}".`)
  }
  return wanted
}

function parseFolder(/** @type {string} */ value) {
  const folder = path.resolve(from, value)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new InvalidArgumentError('There is no such folder.')
  }
  return folder
}
