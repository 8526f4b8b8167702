/**
 * The files of a pack do not match its `pack.json`, or cannot run on this machine. The message names the pack or file.
 */
export class PackMismatchError extends Error {
  override readonly name = 'PackMismatchError'
}

/**
 * Runs `open` and names the pack in its errors.
 * @throws PackMismatchError
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
