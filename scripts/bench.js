import process from 'node:process'
import { prepare } from './prepare.js'

// Paths in options are relative to the caller's folder, which `prepare` leaves.
const callerFolder = process.cwd()
prepare()
const { runBenchCommand } = await import('../dist/tools/bench/bench-command.js')
await runBenchCommand(process.argv, callerFolder)
