import process from 'node:process'
import { prepare } from './prepare.js'

// Paths in options are relative to the caller's folder, which `prepare` leaves.
const callerFolder = process.cwd()
prepare()
const { runEvalCommand } = await import('../dist/tools/eval/eval-command.js')
await runEvalCommand(process.argv, callerFolder)
