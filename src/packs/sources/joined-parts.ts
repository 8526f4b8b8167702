import { readFile, truncate } from 'node:fs/promises'
import { z } from 'zod'
import { writeJsonFile } from '../write-json-file.js'
import { originPath, partialSize, removePartialFile } from './partial-file.js'

const record = z.object({
  source: z.string(),
  parts: z.int().nonnegative(),
  sizeBytes: z.int().nonnegative(),
})

/** How many parts of a source a partial file consists of. */
export interface JoinedParts {
  parts: number
  sizeBytes: number
}

/**
 * Prepares a partial file for the next part: it ends after the last part that was joined as a whole, or is removed if it is of
 * another source.
 * @param source - identifies the list of parts
 */
export async function resumeJoinedParts(partPath: string, source: string): Promise<JoinedParts> {
  try {
    const known = record.parse(JSON.parse(await readFile(originPath(partPath), 'utf8')))
    if (known.source === source && (await partialSize(partPath)) >= known.sizeBytes) {
      await truncate(partPath, known.sizeBytes)
      return { parts: known.parts, sizeBytes: known.sizeBytes }
    }
  } catch {
    // No record, or a damaged one.
  }
  await removePartialFile(partPath)
  return { parts: 0, sizeBytes: 0 }
}

/** Records that a part has been joined. */
export async function recordJoinedParts(
  partPath: string,
  source: string,
  { parts, sizeBytes }: JoinedParts,
): Promise<void> {
  await writeJsonFile(originPath(partPath), { source, parts, sizeBytes })
}
