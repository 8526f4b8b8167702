import type { Config } from '../../config/config.js'
import { checkPack, packState, type FileCheck, type FileState } from '../../packs/check-pack.js'
import { formatJson, type ModelsTerminal } from './models-terminal.js'
import { openCheckedPack } from '../../packs/open-pack.js'
import { PackError } from '../../packs/pack-error.js'
import { resolvePack, type PackFolder } from '../../packs/pack-folder.js'
import { pinFileHash } from '../../packs/pins.js'
import { showPullProgress, type PullProgress } from '../../packs/pull-progress.js'
import { toStorageError } from '../../packs/storage-error.js'

interface VerifyReport {
  name: string
  state: FileState | 'invalid'
  /** Changes with any file and with how the pack is used; only of a pack that is ready. */
  revision?: string
  files: { path: string; state: FileState; sha256?: string; pinned: boolean }[]
  problem?: string
}

/** Hashes every file of the packs, pins what nothing has pinned yet, and says what is wrong. */
export async function runVerify(
  config: Pick<Config, 'modelsDir'>,
  terminal: ModelsTerminal,
  names: string[],
  options: { json?: boolean },
): Promise<void> {
  const progress = showPullProgress(terminal.stderr)
  const reports: VerifyReport[] = []
  try {
    for (const name of names) {
      const report = await verifyOne(config.modelsDir, name, progress)
      reports.push(report)
      if (!options.json) printReport(terminal, report)
    }
  } finally {
    progress.stop()
  }
  if (options.json) terminal.stdout.write(formatJson(reports))
  if (reports.some(({ state }) => state !== 'ready')) terminal.setExitCode(1)
}

async function verifyOne(
  modelsDir: string,
  name: string,
  progress: PullProgress,
): Promise<VerifyReport> {
  let checked: Pick<VerifyReport, 'state' | 'files'> = { state: 'invalid', files: [] }
  try {
    const pack = await resolvePack(modelsDir, name)
    const checks = await checkPack(pack, 'always', ({ path, sizeBytes: totalBytes }) => ({
      onBytes: (doneBytes) =>
        progress.onProgress({ pack: name, file: path, phase: 'verify', doneBytes, totalBytes }),
    }))
    const pinned = await pinUnknown(pack, checks)
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
    const state = checked.state === 'ready' ? 'missing' : checked.state
    return { name, ...checked, state, problem: error.message }
  }
}

/** Pins files that are there but whose hash nothing states; gives their paths. */
async function pinUnknown(pack: PackFolder, checks: FileCheck[]): Promise<Set<string>> {
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

function printReport(terminal: ModelsTerminal, report: VerifyReport): void {
  const { name, state, revision, files, problem } = report
  const suffix = revision === undefined ? '' : `, revision ${revision}`
  terminal.stdout.write(`${name}: ${state.replace('-', ' ')}${suffix}\n`)
  for (const file of files) {
    const pinned = file.pinned ? ', pinned in models.lock.json' : ''
    const hash = file.sha256 === undefined ? '' : `, sha256 ${file.sha256}`
    terminal.stdout.write(`  ${file.path}: ${file.state}${hash}${pinned}\n`)
  }
  if (problem !== undefined) terminal.stderr.write(`${problem.replace(/^/gm, '  ')}\n`)
}
