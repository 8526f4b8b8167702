import { existsSync } from 'node:fs'
import process from 'node:process'
import { prepare } from './prepare.js'

/** Runs a tool of src/tools in the project's folder: `node scripts/tool.js checks/spec-coverage`. */

const [tool = ''] = process.argv.splice(2, 1)
prepare()
const program = new URL(`../dist/tools/${tool}.js`, import.meta.url)
if (tool === '' || !existsSync(program)) {
  console.error('Usage: node scripts/tool.js NAME, where src/tools/NAME.ts is the tool')
  process.exit(2)
}
await import(program.href)
