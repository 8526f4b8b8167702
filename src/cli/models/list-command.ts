import type { Config } from '../../config/config.js'
import { checkPack, packState, type FileState } from '../../packs/check-pack.js'
import { formatBytes } from '../../packs/format-bytes.js'
import type { PackManifest, PackRole } from '../../packs/manifest.js'
import { formatJson, formatTable, type ModelsTerminal } from './models-terminal.js'
import { listPacks, type PackListing } from '../../packs/pack-folder.js'
import { selectedPacks } from '../../packs/selected-packs.js'

interface PackRow {
  name: string
  state: FileState | 'invalid'
  role?: PackRole
  title?: string
  /** Sum over the files whose size is known. */
  sizeBytes?: number
  licence?: PackManifest['licence']
  homepage?: string
  /** Variables of the configuration that name the pack. */
  selectedBy: string[]
  problem?: string
}

/** Prints every pack of MODELS_DIR with its state, without hashing anything. */
export async function runList(
  config: Pick<Config, 'modelsDir' | 'packs'>,
  terminal: ModelsTerminal,
  options: { json?: boolean },
): Promise<void> {
  const rows = await Promise.all(
    (await listPacks(config.modelsDir)).map(async (listing): Promise<PackRow> => {
      const selected = selectedPacks(config).filter(({ name }) => name === listing.name)
      const selectedBy = selected.map(({ variable }) => variable)
      return { ...(await describe(listing)), selectedBy }
    }),
  )
  if (options.json) {
    terminal.stdout.write(formatJson(rows))
    return
  }
  const head = ['NAME', 'ROLE', 'SIZE', 'STATE', 'LICENCE', 'SELECTED BY']
  terminal.stdout.write(formatTable(head, rows.map(tableRow)))
  for (const row of rows) {
    if (row.state === 'invalid') terminal.stderr.write(`${row.problem}\n`)
  }
}

async function describe(listing: PackListing): Promise<Omit<PackRow, 'selectedBy'>> {
  const { name } = listing
  if ('error' in listing) return { name, state: 'invalid', problem: listing.error.message }
  const { role, title, licence, homepage } = listing.pack.manifest
  const checks = await checkPack(listing.pack, 'remembered')
  const sizes = checks.map(({ file, sizeBytes }) => file.sizeBytes ?? sizeBytes ?? 0)
  const sizeBytes = sizes.reduce((sum, size) => sum + size, 0)
  const problem = checks.find((check) => check.problem !== undefined)?.problem
  const state = packState(checks)
  return { name, state, role, title, sizeBytes, licence, homepage, ...(problem && { problem }) }
}

function tableRow(row: PackRow): string[] {
  return [
    row.name,
    row.role ?? '-',
    row.sizeBytes ? formatBytes(row.sizeBytes) : '-',
    row.state.replace('-', ' '),
    row.licence?.spdx ?? '-',
    row.selectedBy.join(', '),
  ]
}
