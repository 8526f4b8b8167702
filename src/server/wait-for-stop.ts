const PARENT_CHECK_MS = 1_000

/**
 * Resolves with the reason to stop: SIGINT, SIGTERM, SIGHUP on a terminal, or, with `endWithParent`, the end of the
 * parent process. A second Ctrl-C exits immediately.
 */
export function waitForStop({
  endWithParent = false,
}: {
  endWithParent?: boolean
}): Promise<string> {
  return new Promise((resolve) => {
    process.once('SIGINT', () => {
      process.once('SIGINT', () => process.exit(130))
      resolve('SIGINT')
    })
    process.once('SIGTERM', () => resolve('SIGTERM'))
    if (process.stdout.isTTY) process.once('SIGHUP', () => resolve('SIGHUP'))
    if (!endWithParent) return
    const parent = process.ppid
    const check = setInterval(() => {
      if (process.ppid !== parent) resolve('parent ended')
    }, PARENT_CHECK_MS)
    check.unref()
  })
}
