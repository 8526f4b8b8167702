import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { listBreakingChanges } from './openapi/breaking-changes.js'
import { prepare, projectDir } from './prepare.js'

/**
 * Writes docs/openapi.snapshot.json, the promise to partners that later versions are held against. Refuses a change
 * that breaks it, unless `--breaking` says that it is meant. With `--check`, fails when the file is out of date.
 */

const FILE = path.join('docs', 'openapi.snapshot.json')

prepare()
process.chdir(projectDir)
const { API_ROUTES } = await import('../dist/http/app.js')
const { describeApi } = await import('../dist/openapi/describe-api.js')

const current = JSON.parse(JSON.stringify(describeApi(API_ROUTES)))
const text = `${JSON.stringify(current, null, 2)}\n`
const committed = existsSync(FILE) ? readFileSync(FILE, 'utf8') : text
const findings = listBreakingChanges(JSON.parse(committed), current)

if (findings.length > 0 && !process.argv.includes('--breaking')) {
  console.error(`This change of the interface breaks programs of partners:\n`)
  for (const finding of findings) console.error(`  ${finding}`)
  console.error(`\nMake it an addition, or a path of its own beside the old one.`)
  process.exit(1)
}
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text)
} else if (committed !== text || !existsSync(FILE)) {
  console.error(`${FILE} is out of date. Run: npm run openapi`)
  process.exit(1)
}
