import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'

/** Creates a temporary folder that is deleted when this process exits: databases of a benchmark take gigabytes. */
export function createScratchFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'profile-service-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}
