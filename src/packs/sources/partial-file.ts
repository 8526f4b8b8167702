import { readFile, rm, stat } from 'node:fs/promises'
import { z } from 'zod'
import { writeJsonFile } from '../write-json-file.js'

const origin = z.object({
  url: z.string(),
  validator: z.string().describe('ETag or date of the content, for If-Range.'),
})

/** A partial download, and the validator to request the rest of the same content. */
export interface PartialFile {
  sizeBytes: number
  validator: string
}

/** Returns the partial download from the same URL; undefined if there is none that can be continued. */
export async function readPartialFile(
  partPath: string,
  url: string,
): Promise<PartialFile | undefined> {
  try {
    const known = origin.parse(JSON.parse(await readFile(originPath(partPath), 'utf8')))
    const sizeBytes = await partialSize(partPath)
    if (known.url !== url || sizeBytes === 0) return undefined
    return { sizeBytes, validator: known.validator }
  } catch {
    return undefined
  }
}

/** Records the origin of a download before its first byte is written. */
export async function beginPartialFile(
  partPath: string,
  url: string,
  validator: string | undefined,
): Promise<void> {
  await removePartialFile(partPath)
  if (validator !== undefined) await writeJsonFile(originPath(partPath), { url, validator })
}

/** Removes a partial download and the record of its origin. */
export async function removePartialFile(partPath: string): Promise<void> {
  await rm(partPath, { force: true })
  await rm(originPath(partPath), { force: true })
}

/** Returns the size of the partial download; 0 if there is none. */
export async function partialSize(partPath: string): Promise<number> {
  return (await stat(partPath).catch(() => undefined))?.size ?? 0
}

/** Record of where a partial file comes from. */
export function originPath(partPath: string): string {
  return `${partPath}.json`
}
