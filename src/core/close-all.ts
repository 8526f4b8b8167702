/** Ends one part of the service. */
export type Closer = () => Promise<unknown> | void

/**
 * Closes in reverse order of opening, each part once.
 * @throws the first error, after all the others are closed
 */
export async function closeAll(closers: Closer[]): Promise<void> {
  const failures: unknown[] = []
  for (const close of closers.splice(0).toReversed()) {
    try {
      await close()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
