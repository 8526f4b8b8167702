const PARENT_CHECK_MS = 1_000

export interface StopOptions {
  /** Stop when the parent process ends. */
  endWithParent?: boolean
  /** Called for each further SIGTERM. */
  onRepeated: () => void
}

/**
 * Resolves with the reason to stop: SIGINT, SIGTERM, SIGHUP on a terminal, or, with `endWithParent`, the end of the
 * parent process.
 *
 * A second Ctrl-C exits immediately, because somebody sits there who wants that. A second SIGTERM comes from a supervisor
 * or a script and ends no call in flight; SIGKILL is there for that.
 */
export function waitForStop({ endWithParent = false, onRepeated }: StopOptions): Promise<string> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => {
      process.once('SIGINT', () => process.exit(130))
      resolve('SIGINT')
    })
    process.once('SIGTERM', () => {
      process.on('SIGTERM', onRepeated)
      resolve('SIGTERM')
    })
    if (process.stdout.isTTY) process.once('SIGHUP', () => resolve('SIGHUP'))
    if (!endWithParent) return
    const parent = process.ppid
    const check = setInterval(() => {
      if (process.ppid !== parent) resolve('parent ended')
    }, PARENT_CHECK_MS)
    check.unref()
  })
}
