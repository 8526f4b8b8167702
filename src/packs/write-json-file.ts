import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** Writes a JSON file atomically: readers see the old or the new content, never a part. */
export async function writeJsonFile(file: string, content: unknown): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  const temporary = `${file}.${randomUUID()}.part`
  try {
    await writeFile(temporary, `${JSON.stringify(content, null, 2)}\n`, { flush: true })
    await rename(temporary, file)
  } finally {
    await rm(temporary, { force: true })
  }
}
