import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { prepare, run } from './prepare.js'

/** Sets up what is missing, then runs jest with the given arguments; on PostgreSQL with TEST_DATABASE=postgres. */

// In jest's format; src/tools/checks/spec-coverage.ts reads those of SQLite.
const TEST_RESULTS = path.join(
  '.cache',
  process.env.TEST_DATABASE === 'postgres' ? 'test-results-postgres.json' : 'test-results.json',
)

prepare()
mkdirSync(path.dirname(TEST_RESULTS), { recursive: true })
rmSync(TEST_RESULTS, { force: true })
// Tests run the real embedded models: pull missing packs, verify the others.
const pull = spawnSync(process.execPath, ['dist/main.js', 'models', 'pull'], { stdio: 'inherit' })
if (pull.status !== 0) {
  console.error('\nThe model packs could not be pulled. Tests that need them will not run.')
  if (process.env.CI) process.exit(1)
}
process.on('exit', reportSkippedSuites)
const report = ['--json', '--outputFile', TEST_RESULTS]
run(process.execPath, ['node_modules/jest/bin/jest.js', ...report, ...process.argv.slice(2)], {
  NODE_OPTIONS: '--experimental-vm-modules --no-warnings=ExperimentalWarning',
})

/** Suites that lack something must not pass unnoticed: their titles say what, as test/_weights.ts writes them. */
function reportSkippedSuites() {
  const { testResults = [] } = readResults()
  const skipped = testResults.flatMap((/** @type {any} */ { name, assertionResults }) => {
    const titles = assertionResults.flatMap(
      (/** @type {any} */ { ancestorTitles }) => ancestorTitles,
    )
    const note = titles.find((/** @type {string} */ title) => title.startsWith('NOT RUN'))
    return note === undefined ? [] : [`  ${path.relative(process.cwd(), name)}: ${note}`]
  })
  if (skipped.length === 0) return
  console.error(`\n${skipped.length} test files DID NOT RUN:\n${skipped.join('\n')}`)
}

function readResults() {
  try {
    return JSON.parse(readFileSync(TEST_RESULTS, 'utf8'))
  } catch {
    return {}
  }
}
