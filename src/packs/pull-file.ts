import { mkdir, rename, stat } from 'node:fs/promises'
import path from 'node:path'
import { checkFile } from './check-pack.js'
import { hashFile, cacheHash } from './file-hash.js'
import type { FileSource, PackFile } from './manifest.js'
import { withModelLock } from './model-lock.js'
import { PackError } from './pack-error.js'
import { packFileKey, packFilePath, type PackFolder } from './pack-folder.js'
import { expectedFile, pinFileHash, type ExpectedFile } from './pins.js'
import type { PackProgress, PullSettings } from './pull-settings.js'
import { describeSource, fetchFile } from './sources/fetch-file.js'
import { removePartialFile } from './sources/partial-file.js'
import { SourceError } from './sources/source-error.js'
import { hashMismatch } from './sources/hash-mismatch.js'
import { toStorageError } from './to-storage-error.js'

const RETRY_BASE_MS = 1_000

export interface PulledFile {
  file: PackFile
  /** Where the file came from; undefined if it was already present. */
  source?: FileSource
  /** Whether its hash was unknown before and is now pinned in models.lock.json. */
  pinned: boolean
}

/**
 * Ensures that a file of a pack is present and verified. Of concurrent calls for the same file, in any process, one
 * fetches it while the others wait.
 * @throws PackError `pull_failed` with the reason of every source, `storage`
 */
export async function pullFile(
  pack: PackFolder,
  file: PackFile,
  settings: PullSettings,
): Promise<PulledFile> {
  const key = packFileKey(pack, file)
  const work = async (): Promise<PulledFile> => {
    const found = await checkFile(pack, file, 'if-changed', {
      signal: settings.signal,
      onBytes: progressReporter(pack, file, settings, 'verify'),
    })
    if (found.state === 'ready') return { file, pinned: false }
    if (found.state === 'not-verified' && found.content) {
      await pinFileHash(pack, file, found.content)
      return { file, pinned: true }
    }
    return await pullFromSources(pack, file, settings)
  }
  try {
    return await withModelLock(pack.modelsDir, key, work, {
      signal: settings.signal,
      onWait: () => settings.onNotice?.(`${key}: waiting for another pull of this file`),
    })
  } catch (error) {
    throw toStorageError(error, pack.modelsDir)
  }
}

async function pullFromSources(
  pack: PackFolder,
  file: PackFile,
  settings: PullSettings,
): Promise<PulledFile> {
  const expected = await expectedFile(pack, file)
  await mkdir(path.dirname(packFilePath(pack, file)), { recursive: true })
  const reasons: string[] = []
  for (const source of file.sources) {
    try {
      await pullFromSource(source, { pack, file, expected }, settings)
      return { file, source, pinned: expected.sha256 === undefined }
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      reasons.push(`${describeSource(source)}: ${error.message}`)
      if (reasons.length < file.sources.length) settings.onNotice?.(reasons.at(-1) ?? '')
    }
  }
  throw new PackError(
    'pull_failed',
    `${packFileKey(pack, file)} could not be pulled.\n` +
      reasons.map((reason) => `  ${reason}\n`).join('') +
      `Alternatively put the file at ${packFilePath(pack, file)} and run: ` +
      `npm run models -- verify ${pack.manifest.name}`,
  )
}

async function pullFromSource(
  source: FileSource,
  wanted: { pack: PackFolder; file: PackFile; expected: ExpectedFile },
  settings: PullSettings,
): Promise<void> {
  const { pack, file, expected } = wanted
  const target = packFilePath(pack, file)
  const partPath = `${target}.part`
  const published = await fetchFile(
    source,
    { ...wanted, partPath },
    {
      ...settings,
      retryBaseMs: settings.retryBaseMs ?? RETRY_BASE_MS,
      onProgress: progressReporter(
        pack,
        file,
        settings,
        source.type === 'merged' ? 'merge' : 'download',
      ),
    },
  )
  const sha256 = await hashFile(partPath, {
    signal: settings.signal,
    onBytes: progressReporter(pack, file, settings, 'verify'),
  })
  const required: ExpectedFile =
    expected.sha256 === undefined ? { sha256: published, statedBy: 'the hub' } : expected
  if (required.sha256 !== undefined && required.sha256 !== sha256) {
    await removePartialFile(partPath)
    throw hashMismatch(sha256, required)
  }
  if (expected.sha256 === undefined) {
    await pinFileHash(pack, file, { sha256, sizeBytes: (await stat(partPath)).size })
  }
  await rename(partPath, target)
  await removePartialFile(partPath)
  await cacheHash(pack, file, sha256)
}

function progressReporter(
  pack: PackFolder,
  file: PackFile,
  settings: PullSettings,
  phase: PackProgress['phase'],
): (doneBytes: number, totalBytes?: number) => void {
  return (doneBytes, totalBytes = file.sizeBytes) =>
    settings.onProgress?.({
      pack: pack.manifest.name,
      file: file.path,
      phase,
      doneBytes,
      totalBytes,
    })
}
