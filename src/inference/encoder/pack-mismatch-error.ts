/**
 * The files of a pack do not do what its `pack.json` says, or cannot run on this machine. The message is for
 * the operator: it names the pack or the file and what does not fit.
 */
export class PackMismatchError extends Error {
  override readonly name = 'PackMismatchError'
}

/**
 * What `open` gives.
 * @throws PackMismatchError naming the pack, whatever went wrong
 */
export async function namePackInErrors<T>(
  pack: { name: string },
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open()
  } catch (error) {
    const message = error instanceof Error ? error.message : 'unknown error'
    throw new PackMismatchError(`Pack ${pack.name}: ${message}`, { cause: error })
  }
}
