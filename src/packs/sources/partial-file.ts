import { readFile, rm, stat } from 'node:fs/promises'
import { z } from 'zod'
import { writeJsonFile } from '../atomic-file.js'

const origin = z.object({
  url: z.string(),
  validator: z.string().describe('ETag or date of the content, for If-Range.'),
})

/** What is already there of a download, and how to ask the server for the rest of the same content. */
export interface PartialFile {
  sizeBytes: number
  validator: string
}

/** The beginning of an earlier download of the same address, if it can be continued. */
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

/** Notes where a download comes from before its first byte is written. */
export async function beginPartialFile(
  partPath: string,
  url: string,
  validator: string | undefined,
): Promise<void> {
  await removePartialFile(partPath)
  if (validator !== undefined) await writeJsonFile(originPath(partPath), { url, validator })
}

/** Removes the bytes and the note of where they come from. */
export async function removePartialFile(partPath: string): Promise<void> {
  await rm(partPath, { force: true })
  await rm(originPath(partPath), { force: true })
}

/** How many bytes are there; 0 when nothing is. */
export async function partialSize(partPath: string): Promise<number> {
  return (await stat(partPath).catch(() => undefined))?.size ?? 0
}

function originPath(partPath: string): string {
  return `${partPath}.json`
}
