import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { API_ROUTES } from '../../http/api-routes.js'
import { partnerHeadersSchema } from '../../http/partner-headers.js'
import { describeApi } from '../../openapi/describe-api.js'
import { PROJECT_FOLDER } from '../project-folder.js'
import { listBreakingChanges } from './breaking-changes.js'
import type { OpenApiDocument } from './openapi-document.js'

/**
 * Writes docs/openapi.snapshot.json, the interface that later versions must keep. Refuses a breaking change unless
 * `--breaking` is given. With `--check`, fails if the file is out of date.
 */

const NAME = 'docs/openapi.snapshot.json'
const file = path.join(PROJECT_FOLDER, NAME)
const text = `${JSON.stringify(describeApi(API_ROUTES, partnerHeadersSchema), undefined, 2)}\n`
const committed = existsSync(file) ? readFileSync(file, 'utf8') : undefined
const findings = listBreakingChanges(parse(committed ?? text), parse(text))

if (findings.length > 0 && !process.argv.includes('--breaking')) {
  console.error("This change of the interface breaks partners' programs:\n")
  for (const finding of findings) console.error(`  ${finding}`)
  console.error('\nAdd to the interface instead, or add a new path beside the old one.')
  process.exitCode = 1
} else if (!process.argv.includes('--check')) {
  writeFileSync(file, text)
} else if (committed !== text) {
  console.error(`${NAME} is out of date. Run: npm run openapi`)
  process.exitCode = 1
}

function parse(document: string): OpenApiDocument {
  return JSON.parse(document) as OpenApiDocument
}
