import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { writeJsonFile } from './write-json-file.js'
import { cacheFolder } from './model-lock.js'
import { packFileKey, packFilePath, type PackFolder } from './pack-folder.js'

export interface HashOptions {
  signal?: AbortSignal | undefined
  onBytes?: ((doneBytes: number) => void) | undefined
}

const stamp = z.object({
  sizeBytes: z.string(),
  mtimeNs: z.string(),
  ctimeNs: z.string(),
  inode: z.string(),
  sha256: z.string(),
})
type FileIdentity = Omit<z.infer<typeof stamp>, 'sha256'>

/** Returns the sha256 of a file in hexadecimal, streaming it. */
export async function hashFile(file: string, options: HashOptions = {}): Promise<string> {
  const hash = createHash('sha256')
  let doneBytes = 0
  await pipeline(
    createReadStream(file, { highWaterMark: 1024 * 1024 }),
    async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) {
        hash.update(chunk)
        doneBytes += chunk.byteLength
        options.onBytes?.(doneBytes)
      }
    },
    options.signal ? { signal: options.signal } : {},
  )
  return hash.digest('hex')
}

/** Returns the cached sha256 of a pack's file; undefined if there is none or the file has changed since. */
export async function readCachedHash(
  pack: PackFolder,
  file: { path: string },
): Promise<string | undefined> {
  try {
    const cached = stamp.parse(JSON.parse(await readFile(stampPath(pack, file), 'utf8')))
    const { sha256, ...identity } = cached
    const current = await readIdentity(packFilePath(pack, file))
    return isDeepStrictEqual(identity, current) ? sha256 : undefined
  } catch {
    return undefined
  }
}

/** Hashes a pack's file and caches the hash until the file changes. */
export async function hashPackFile(
  pack: PackFolder,
  file: { path: string },
  options: HashOptions = {},
): Promise<string> {
  const filePath = packFilePath(pack, file)
  const before = await readIdentity(filePath)
  const sha256 = await hashFile(filePath, options)
  await cacheHash(pack, file, sha256, before)
  return sha256
}

/**
 * Caches the hash of a pack's file.
 * @param hashed - identity of the hashed file; nothing is cached if the file has changed since
 */
export async function cacheHash(
  pack: PackFolder,
  file: { path: string },
  sha256: string,
  hashed?: FileIdentity,
): Promise<void> {
  const identity = await readIdentity(packFilePath(pack, file))
  if (hashed !== undefined && !isDeepStrictEqual(hashed, identity)) return
  // With a read-only MODELS_DIR, files are hashed again at every start.
  await writeJsonFile(stampPath(pack, file), { ...identity, sha256 }).catch(() => undefined)
}

function stampPath(pack: PackFolder, file: { path: string }): string {
  return path.join(cacheFolder(pack.modelsDir), 'hashes', `${packFileKey(pack, file)}.json`)
}

async function readIdentity(file: string): Promise<FileIdentity> {
  // Unlike mtime, ctime and inode cannot be set back to hide a change.
  const { size, mtimeNs, ctimeNs, ino } = await stat(file, { bigint: true })
  return {
    sizeBytes: String(size),
    mtimeNs: String(mtimeNs),
    ctimeNs: String(ctimeNs),
    inode: String(ino),
  }
}
