import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { writeJsonFile } from './write-json-file.js'
import { errorCode } from '../core/error-code.js'
import type { PackFile } from './manifest.js'
import { withModelLock } from './model-lock.js'
import { PackError } from './pack-error.js'
import { packFileKey, type PackFolder } from './pack-folder.js'

const LOCK_FILE = 'models.lock.json'

const pin = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  sizeBytes: z.int().nonnegative(),
})
const pinFile = z.strictObject({ version: z.literal(1), files: z.record(z.string(), pin) })

export type FileContent = z.infer<typeof pin>

/** Expected hash and size of a file, as far as they are known. */
export interface ExpectedFile {
  sha256?: string | undefined
  sizeBytes?: number | undefined
  /** Where the hash comes from. */
  statedBy?: 'pack.json' | 'models.lock.json' | 'the hub'
}

/**
 * Returns the expected hash and size of a file, from pack.json or else from models.lock.json.
 * @throws PackError `invalid_manifest` if models.lock.json is damaged
 */
export async function expectedFile(pack: PackFolder, file: PackFile): Promise<ExpectedFile> {
  const { sha256, sizeBytes } = file
  if (sha256 !== undefined) return { sha256, sizeBytes, statedBy: 'pack.json' }
  const pinned = (await readPins(pack.modelsDir))[packFileKey(pack, file)]
  if (!pinned) return { sizeBytes }
  return { ...pinned, statedBy: 'models.lock.json' }
}

/** Pins the hash and size of a file in models.lock.json, so that later pulls must match them. */
export async function pinFileHash(
  pack: PackFolder,
  file: PackFile,
  content: FileContent,
): Promise<void> {
  await withModelLock(pack.modelsDir, LOCK_FILE, async () => {
    const files = { ...(await readPins(pack.modelsDir)), [packFileKey(pack, file)]: content }
    const sorted = Object.fromEntries(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)))
    await writeJsonFile(path.join(pack.modelsDir, LOCK_FILE), { version: 1, files: sorted })
  })
}

async function readPins(modelsDir: string): Promise<Record<string, FileContent>> {
  const file = path.join(modelsDir, LOCK_FILE)
  try {
    return pinFile.parse(JSON.parse(await readFile(file, 'utf8'))).files
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {}
    throw new PackError(
      'invalid_manifest',
      `${file} is damaged. Restore it, or delete it to pin the files again.`,
      { cause: error },
    )
  }
}
