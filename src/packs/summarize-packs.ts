import type { Config } from '../config/config.js'
import { checkPack, packState, type FileState } from './check-pack.js'
import type { PackManifest, PackRole } from './manifest.js'
import { listPacks, type PackListing } from './pack-folder.js'
import { selectedPacks } from './selected-packs.js'

export interface PackSummary {
  name: string
  state: FileState | 'invalid'
  role?: PackRole
  title?: string
  /** Sum over the files whose size is known. */
  sizeBytes?: number
  licence?: PackManifest['licence']
  homepage?: string
  /** Configuration variables that select the pack. */
  selectedBy: string[]
  problem?: string
}

/** Summarizes every pack in MODELS_DIR, without hashing any file. */
export async function summarizePacks(
  config: Pick<Config, 'modelsDir' | 'packs'>,
): Promise<PackSummary[]> {
  const selected = selectedPacks(config)
  return await Promise.all(
    (await listPacks(config.modelsDir)).map(async (listing) => {
      const selections = selected.filter(({ name }) => name === listing.name)
      const selectedBy = selections.map(({ variable }) => variable)
      return { ...(await summarizePack(listing)), selectedBy }
    }),
  )
}

async function summarizePack(listing: PackListing): Promise<Omit<PackSummary, 'selectedBy'>> {
  const { name } = listing
  if ('error' in listing) return { name, state: 'invalid', problem: listing.error.message }
  const { role, title, licence, homepage } = listing.pack.manifest
  const checks = await checkPack(listing.pack, 'cached')
  const sizes = checks.map(({ file, sizeBytes }) => file.sizeBytes ?? sizeBytes ?? 0)
  const sizeBytes = sizes.reduce((sum, size) => sum + size, 0)
  const problem = checks.find((check) => check.problem !== undefined)?.problem
  const state = packState(checks)
  return { name, state, role, title, sizeBytes, licence, homepage, ...(problem && { problem }) }
}
