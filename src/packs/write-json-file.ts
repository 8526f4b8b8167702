import { writeFileWhole } from '../core/write-file-whole.js'

/** Writes a JSON file atomically: readers see the old or the new content, never a part. */
export async function writeJsonFile(file: string, content: unknown): Promise<void> {
  await writeFileWhole(file, `${JSON.stringify(content, null, 2)}\n`)
}
