import PQueue from 'p-queue'
import { isMerged, type PackFile } from './manifest.js'
import { PackError } from './pack-error.js'
import type { PackFolder } from './pack-folder.js'
import { pullFile, type PulledFile } from './pull-file.js'
import type { PullSettings } from './pull-settings.js'

const FILES_AT_ONCE = 3

/**
 * Fetches what is missing or wrong of a pack and verifies every file. A file takes its place only after its
 * hash was found right; one that is wrong is removed. A failing file does not stop the others.
 * @throws PackError `pull_failed`, `storage`, with the reasons of every file that failed
 */
export async function pullPack(pack: PackFolder, settings: PullSettings): Promise<PulledFile[]> {
  const queue = new PQueue({ concurrency: FILES_AT_ONCE })
  const pull = (files: readonly PackFile[]) =>
    Promise.allSettled(files.map((file) => queue.add(() => pullFile(pack, file, settings))))
  const { files } = pack.manifest
  const results = [
    ...(await pull(files.filter((file) => !isMerged(file)))),
    // Made of the others.
    ...(await pull(files.filter(isMerged))),
  ]
  settings.signal?.throwIfAborted()
  const failures: unknown[] = []
  const pulled: PulledFile[] = []
  for (const result of results) {
    if (result.status === 'fulfilled') pulled.push(result.value)
    else failures.push(result.reason)
  }
  if (failures.length > 0) throw asOne(failures)
  return pulled
}

function asOne(failures: unknown[]): unknown {
  const unforeseen = failures.find((failure) => !(failure instanceof PackError))
  if (unforeseen !== undefined || failures.length === 1) return unforeseen ?? failures[0]
  const known = failures.filter((failure) => failure instanceof PackError)
  const code = known.find((failure) => failure.code === 'storage')?.code ?? 'pull_failed'
  // A full disk gives every file the same reason.
  const messages = new Set(known.map((failure) => failure.message))
  return new PackError(code, [...messages].join('\n'))
}
