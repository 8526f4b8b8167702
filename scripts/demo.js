import process from 'node:process'
import { prepare } from './prepare.js'

prepare()
const { runDemoCommand } = await import('../dist/tools/demo/demo-command.js')
await runDemoCommand(process.argv.slice(2))
