import { stat } from 'node:fs/promises'
import { hashPackFile, readCachedHash, type HashOptions } from './file-hash.js'
import type { PackFile } from './manifest.js'
import { packFilePath, type PackFolder } from './pack-folder.js'
import { expectedFile, type FileContent } from './pins.js'

/** From worst to best. `not-verified`: present, but not hashed yet, or no expected hash is known. */
const FILE_STATES = ['missing', 'corrupt', 'not-verified', 'ready'] as const
export type FileState = (typeof FILE_STATES)[number]

/**
 * `cached`: uses cached hashes only. `if-changed`: hashes files without a cached hash or changed since. `always`: hashes
 * every file.
 */
export type Hashing = 'cached' | 'if-changed' | 'always'

export interface FileCheck {
  file: PackFile
  path: string
  state: FileState
  sizeBytes?: number
  /** Undefined if the file has not been hashed. */
  content?: FileContent
  /** What is wrong, for the operator. */
  problem?: string
}

/** Compares every file of a pack with pack.json and models.lock.json. */
export async function checkPack(
  pack: PackFolder,
  hashing: Hashing,
  options: (file: PackFile) => HashOptions = () => ({}),
): Promise<FileCheck[]> {
  const checks: FileCheck[] = []
  for (const file of pack.manifest.files) {
    checks.push(await checkFile(pack, file, hashing, options(file)))
  }
  return checks
}

/** Compares one file of a pack with pack.json and models.lock.json. */
export async function checkFile(
  pack: PackFolder,
  file: PackFile,
  hashing: Hashing,
  options: HashOptions = {},
): Promise<FileCheck> {
  const path = packFilePath(pack, file)
  const found = await stat(path).catch(() => undefined)
  if (!found) return { file, path, state: 'missing', problem: `${path} is missing` }
  const base = { file, path, sizeBytes: found.size }
  if (!found.isFile()) return { ...base, state: 'corrupt', problem: `${path} is not a file` }

  const expected = await expectedFile(pack, file)
  if (expected.sizeBytes !== undefined && expected.sizeBytes !== found.size) {
    const problem = `${path} has ${found.size} bytes instead of ${expected.sizeBytes}`
    return { ...base, state: 'corrupt', problem }
  }
  const sha256 = await packFileHash(pack, file, hashing, options)
  if (sha256 === undefined) {
    return { ...base, state: 'not-verified', problem: `${path} has not been verified yet` }
  }
  const hashed = { ...base, content: { sha256, sizeBytes: found.size } }
  if (expected.sha256 === undefined) {
    const problem = `no expected hash of ${path} is known yet`
    return { ...hashed, state: 'not-verified', problem }
  }
  if (expected.sha256 === sha256) return { ...hashed, state: 'ready' }
  const problem = `${path} has sha256 ${sha256} instead of ${expected.sha256}`
  return { ...hashed, state: 'corrupt', problem }
}

/** Returns the worst state of any file. */
export function packState(checks: readonly FileCheck[]): FileState {
  return FILE_STATES.find((state) => checks.some((check) => check.state === state)) ?? 'ready'
}

async function packFileHash(
  pack: PackFolder,
  file: PackFile,
  hashing: Hashing,
  options: HashOptions,
): Promise<string | undefined> {
  const cached = hashing === 'always' ? undefined : await readCachedHash(pack, file)
  if (cached !== undefined || hashing === 'cached') return cached
  return await hashPackFile(pack, file, options)
}
