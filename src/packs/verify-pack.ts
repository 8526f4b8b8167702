import { checkPack, packState, type FileCheck, type FileState } from './check-pack.js'
import { openCheckedPack } from './open-pack.js'
import { PackError } from './pack-error.js'
import { resolvePack, type PackFolder } from './pack-folder.js'
import { pinFileHash } from './pins.js'
import type { PullSettings } from './pull-settings.js'
import { toStorageError } from './to-storage-error.js'

export interface VerifyReport {
  name: string
  state: FileState | 'invalid'
  /** Changes with any file and with the role section of pack.json; only set for a ready pack. */
  revision?: string
  files: { path: string; state: FileState; sha256?: string; pinned: boolean }[]
  problem?: string
}

/** Hashes every file of a pack and pins the hashes that are not stated anywhere. Problems are reported, not thrown. */
export async function verifyPack(
  modelsDir: string,
  name: string,
  { onProgress }: Pick<PullSettings, 'onProgress'> = {},
): Promise<VerifyReport> {
  let checked: Pick<VerifyReport, 'state' | 'files'> = { state: 'invalid', files: [] }
  try {
    const pack = await resolvePack(modelsDir, name)
    const checks = await checkPack(pack, 'always', ({ path, sizeBytes: totalBytes }) => ({
      onBytes: (doneBytes) =>
        onProgress?.({ pack: name, file: path, phase: 'verify', doneBytes, totalBytes }),
    }))
    const pinned = await pinUnknownHashes(pack, checks)
    const files = checks.map(({ file: { path }, state, content }) => ({
      path,
      state: pinned.has(path) ? ('ready' as const) : state,
      ...(content && { sha256: content.sha256 }),
      pinned: pinned.has(path),
    }))
    const settled = checks.map((check, index) => ({ ...check, state: files[index]!.state }))
    checked = { state: packState(settled), files }
    const { revision } = await openCheckedPack(pack, settled)
    return { name, ...checked, revision }
  } catch (error) {
    if (!(error instanceof PackError)) throw error
    // All files are right, but the prompts are missing.
    const state = checked.state === 'ready' ? 'missing' : checked.state
    return { name, ...checked, state, problem: error.message }
  }
}

/** @returns the paths of the files that were pinned */
async function pinUnknownHashes(pack: PackFolder, checks: FileCheck[]): Promise<Set<string>> {
  const pinned = new Set<string>()
  for (const { file, state, content } of checks) {
    if (state !== 'not-verified' || !content) continue
    await pinFileHash(pack, file, content).catch((error: unknown) => {
      throw toStorageError(error, pack.modelsDir)
    })
    pinned.add(file.path)
  }
  return pinned
}
