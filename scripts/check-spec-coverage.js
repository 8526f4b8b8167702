import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { projectDir, TEST_RESULTS } from './prepare.js'

/** Fails when a test that docs/spec-coverage.md names is missing from the last `npm test`, or did not pass. */

const ROW = /^\| (?<section>[\d., ]+?) +\| .*? +\| `(?<file>[^`]+)`: (?<title>.*?) +\|$/

if (!existsSync(TEST_RESULTS)) {
  console.error('There are no test results yet. Run: npm test')
  process.exit(1)
}
/** @type {{ testResults: { name: string, assertionResults: { title: string, status: string }[] }[] }} */
const results = JSON.parse(readFileSync(TEST_RESULTS, 'utf8'))
const table = readFileSync(path.join(projectDir, 'docs', 'spec-coverage.md'), 'utf8')
const rows = table.split('\n').flatMap((line) => ROW.exec(line)?.groups ?? [])
const problems = rows.flatMap(({ section = '', file = '', title = '' }) => {
  const tests = results.testResults
    .filter(({ name }) => path.relative(projectDir, name) === file)
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
