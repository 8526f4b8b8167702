import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { writeJsonFile } from './atomic-file.js'
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

/** sha256 of a file in hexadecimal, read in pieces. */
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

/** sha256 of a pack's file as remembered from earlier, or undefined when the file has changed since. */
export async function rememberedHash(
  pack: PackFolder,
  file: { path: string },
): Promise<string | undefined> {
  try {
    const known = stamp.parse(JSON.parse(await readFile(stampPath(pack, file), 'utf8')))
    const { sha256, ...identity } = known
    const now = await fileIdentity(packFilePath(pack, file))
    return isDeepStrictEqual(identity, now) ? sha256 : undefined
  } catch {
    return undefined
  }
}

/** Hashes a pack's file and remembers the result until the file changes. */
export async function hashPackFile(
  pack: PackFolder,
  file: { path: string },
  options: HashOptions = {},
): Promise<string> {
  const filePath = packFilePath(pack, file)
  const before = await fileIdentity(filePath)
  const sha256 = await hashFile(filePath, options)
  await rememberHash(pack, file, sha256, before)
  return sha256
}

/** Remembers the hash of a pack's file, unless the file is no longer the one that was hashed. */
export async function rememberHash(
  pack: PackFolder,
  file: { path: string },
  sha256: string,
  hashed?: FileIdentity,
): Promise<void> {
  const identity = await fileIdentity(packFilePath(pack, file))
  if (hashed !== undefined && !isDeepStrictEqual(hashed, identity)) return
  // A read-only MODELS_DIR costs a hash at every start, nothing else.
  await writeJsonFile(stampPath(pack, file), { ...identity, sha256 }).catch(() => undefined)
}

function stampPath(pack: PackFolder, file: { path: string }): string {
  return path.join(cacheFolder(pack.modelsDir), 'hashes', `${packFileKey(pack, file)}.json`)
}

async function fileIdentity(file: string): Promise<FileIdentity> {
  // ctime and inode as well: unlike mtime they cannot be set back to hide a change.
  const { size, mtimeNs, ctimeNs, ino } = await stat(file, { bigint: true })
  return {
    sizeBytes: String(size),
    mtimeNs: String(mtimeNs),
    ctimeNs: String(ctimeNs),
    inode: String(ino),
  }
}
