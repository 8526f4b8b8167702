import PQueue from 'p-queue'
import { isMerged, type PackFile } from './manifest.js'
import { PackError } from './pack-error.js'
import type { PackFolder } from './pack-folder.js'
import { pullFile, type PulledFile } from './pull-file.js'
import type { PullSettings } from './pull-settings.js'

const CONCURRENT_FILES = 3

/**
 * Fetches missing and corrupt files of a pack and verifies all of them. A file is only moved into place if its hash is
 * right; otherwise it is removed. A failing file does not stop the others.
 * @throws PackError `pull_failed`, `storage`, with the reasons of every file that failed
 */
export async function pullPack(pack: PackFolder, settings: PullSettings): Promise<PulledFile[]> {
  const queue = new PQueue({ concurrency: CONCURRENT_FILES })
  const pull = (files: readonly PackFile[]) =>
    Promise.allSettled(files.map((file) => queue.add(() => pullFile(pack, file, settings))))
  const { files } = pack.manifest
  const results = [
    ...(await pull(files.filter((file) => !isMerged(file)))),
    // Created from the other files.
    ...(await pull(files.filter(isMerged))),
  ]
  settings.signal?.throwIfAborted()
  const failures: unknown[] = []
  const pulled: PulledFile[] = []
  for (const result of results) {
    if (result.status === 'fulfilled') pulled.push(result.value)
    else failures.push(result.reason)
  }
  if (failures.length > 0) throw combineFailures(failures)
  return pulled
}

function combineFailures(failures: unknown[]): unknown {
  const unexpected = failures.find((failure) => !(failure instanceof PackError))
  if (unexpected !== undefined || failures.length === 1) return unexpected ?? failures[0]
  const expected = failures.filter((failure) => failure instanceof PackError)
  const code = expected.find((failure) => failure.code === 'storage')?.code ?? 'pull_failed'
  // With a full disk all files fail with the same message.
  const messages = new Set(expected.map((failure) => failure.message))
  return new PackError(code, [...messages].join('\n'))
}
