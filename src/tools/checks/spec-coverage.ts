import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { PROJECT_FOLDER } from '../project-folder.js'

/** Fails if a test that docs/spec-coverage.md names did not run in the last `npm test` or did not pass. */

/** The part of jest's results that is read. */
interface TestResults {
  testResults: {
    /** Absolute path of the test file. */
    name: string
    assertionResults: { title: string; status: string }[]
  }[]
}

/** Written by scripts/test.js. */
const RESULTS_FILE = path.join(PROJECT_FOLDER, '.cache', 'test-results.json')
const TABLE_FILE = path.join(PROJECT_FOLDER, 'docs', 'spec-coverage.md')
const ROW = /^\| (?<section>[\d., ]+?) +\| .*? +\| `(?<file>[^`]+)`: (?<title>.*?) +\|$/

if (!existsSync(RESULTS_FILE)) {
  console.error('There are no test results yet. Run: npm test')
  process.exit(1)
}
const { testResults } = JSON.parse(readFileSync(RESULTS_FILE, 'utf8')) as TestResults
const rows = readFileSync(TABLE_FILE, 'utf8')
  .split('\n')
  .map((line) => ROW.exec(line)?.groups)
  .filter((groups) => groups !== undefined)
const problems = rows.flatMap(({ section = '', file = '', title = '' }) => {
  const problem = findProblem(file, title)
  return problem === undefined ? [] : [`${section}: ${problem}`]
})
if (rows.length === 0) problems.push('docs/spec-coverage.md has no rows')
for (const problem of problems) console.error(problem)
console.log(`${rows.length - problems.length} of ${rows.length} rules have a passing test`)
process.exitCode = problems.length === 0 ? 0 : 1

function findProblem(file: string, title: string): string | undefined {
  const tests = testResults
    .filter(({ name }) => path.relative(PROJECT_FOLDER, name) === file)
    .flatMap(({ assertionResults }) => assertionResults)
    .filter((test) => test.title === title)
  if (tests.length === 0) return `no test "${title}" in ${file}`
  const hasPassed = tests.every(({ status }) => status === 'passed')
  return hasPassed ? undefined : `"${title}" in ${file} did not pass`
}
