import { writeFileSync, writeSync } from 'node:fs'
import { describeFailure } from './worker-output.js'

/** Exit code after an uncaught exception: EX_SOFTWARE of sysexits.h. */
const UNCAUGHT = 70

/** Ends this worker with the server, and keeps the content of its memory out of terminals and files. */
export function hardenWorker(): void {
  // Ctrl-C and service managers signal the whole group; the server drains first, then ends its workers.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  // Without a server nobody waits, and an orderly exit could hang in busy native threads.
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

/** When memory runs out, Linux should kill a worker, which restarts, rather than the server. */
function preferAsMemoryVictim(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', '500')
  } catch {
    // Other systems have no such file.
  }
}
