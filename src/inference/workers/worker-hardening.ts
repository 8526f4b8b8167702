import { writeFileSync, writeSync } from 'node:fs'
import { describeFailure } from './worker-output.js'

/** Exit code after an exception that nobody caught: EX_SOFTWARE of sysexits.h. */
const UNCAUGHT = 70

/** Ties this worker process to the server's life and keeps what it holds in memory out of terminals and files. */
export function hardenWorker(): void {
  // Ctrl-C and service managers signal the whole group; the server drains first and then ends its workers.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  // Without a server nobody waits: an orderly exit could hang in native threads that are busy with a call.
  process.on('disconnect', endNow)
  if (!process.connected) endNow()
  process.on('uncaughtException', (error) => {
    try {
      writeSync(process.stderr.fd, `uncaught ${describeFailure(error)}\n`)
    } finally {
      process.exit(UNCAUGHT)
    }
  })
  if (process.report) {
    process.report.reportOnFatalError = false
    process.report.reportOnSignal = false
    process.report.reportOnUncaughtException = false
  }
  preferAsMemoryVictim()
}

function endNow(): void {
  process.kill(process.pid, 'SIGKILL')
}

/** When the machine runs out of memory, Linux should end a worker, which restarts, and not the server. */
function preferAsMemoryVictim(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '500')
  } catch {
    // Other systems have no such file.
  }
}
