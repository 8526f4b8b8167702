import process from 'node:process'
import { prepare } from './prepare.js'

prepare()
const { runFaultsCommand } = await import('../dist/tools/faults/faults-command.js')
await runFaultsCommand(process.argv)
