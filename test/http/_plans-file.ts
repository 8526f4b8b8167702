import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { DEFAULT_PLANS } from '../../src/metering/default-plans.js'

export interface PlansFile {
  file: string
  remove(): Promise<void>
}

/** Writes the default plans with some limits replaced, such as `requests_per_minute`. */
export async function createPlansFile(limits: Record<string, number>): Promise<PlansFile> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'profile-service-plans-'))
  const file = path.join(folder, 'plans.json')
  await writeFile(
    file,
    JSON.stringify(DEFAULT_PLANS, (key, value: unknown) => limits[key] ?? value),
  )
  return { file, remove: () => rm(folder, { recursive: true }) }
}
