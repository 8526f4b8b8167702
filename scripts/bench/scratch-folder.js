import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'

/** A folder that goes with this process, also when it is interrupted: databases of a benchmark take gigabytes. */
export function createScratchFolder() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'profile-service-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
