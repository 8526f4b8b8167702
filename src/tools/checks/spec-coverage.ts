import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { PROJECT_FOLDER } from '../project-folder.js'

/** Fails when a test that docs/spec-coverage.md names is missing from the last `npm test`, or did not pass. */

/** Results of the last `npm test`, in the format of jest. */
const TEST_RESULTS = path.join(PROJECT_FOLDER, '.cache', 'test-results.json')
const ROW = /^\| (?<section>[\d., ]+?) +\| .*? +\| `(?<file>[^`]+)`: (?<title>.*?) +\|$/

if (!existsSync(TEST_RESULTS)) {
  console.error('There are no test results yet. Run: npm test')
  process.exit(1)
}
const results: {
  testResults: { name: string; assertionResults: { title: string; status: string }[] }[]
} = JSON.parse(readFileSync(TEST_RESULTS, 'utf8'))
const table = readFileSync(path.join(PROJECT_FOLDER, 'docs', 'spec-coverage.md'), 'utf8')
const rows = table
  .split('\n')
  .map((line) => ROW.exec(line)?.groups)
  .filter((groups) => groups !== undefined)
const problems = rows.flatMap(({ section = '', file = '', title = '' }) => {
  const tests = results.testResults
    .filter(({ name }) => path.relative(PROJECT_FOLDER, name) === file)
    .flatMap(({ assertionResults }) => assertionResults)
    .filter((test) => test.title === title)
  if (tests.length === 0) return [`${section}: no test "${title}" in ${file}`]
  const isPassed = tests.every(({ status }) => status === 'passed')
  return isPassed ? [] : [`${section}: "${title}" in ${file} did not pass`]
})
if (rows.length === 0) problems.push('docs/spec-coverage.md has no rows')
for (const problem of problems) console.error(problem)
console.log(`${rows.length - problems.length} of ${rows.length} rules have a passing test`)
process.exit(problems.length === 0 ? 0 : 1)
