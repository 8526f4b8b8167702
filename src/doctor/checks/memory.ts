import { readFile } from 'node:fs/promises'
import os from 'node:os'
import type { Config } from '../../config/config.js'
import { formatBytes } from '../../packs/format-bytes.js'
import { resolvePack } from '../../packs/pack-folder.js'
import { mergedFiles } from '../../packs/role-sections.js'
import { selectedPacks } from '../../packs/selected-packs.js'
import { readCgroupLimits } from '../../config/cgroup-limits.js'
import { failed, ok, warning, type Finding } from '../check.js'

/** Memory of the server and both workers under load, models excluded; measured with the embedded packs. */
const BASE_BYTES = 1_300_000_000
/** During a swap the old model stays loaded until the new one is ready. */
const SWAP_FACTOR = 2

export interface MemoryFacts {
  totalBytes: number
  modelBytes: number
}

/** Checks that the models fit into memory, also during a swap. */
export async function checkMemory(config: Config, facts?: MemoryFacts): Promise<Finding> {
  const { totalBytes, modelBytes } = facts ?? (await readFacts(config))
  const needed = BASE_BYTES + modelBytes
  const found = `${formatBytes(totalBytes)}, about ${formatBytes(needed)} needed`
  if (totalBytes < needed) {
    return failed(found, 'Add memory, or choose smaller packs: npm run models -- list')
  }
  if (totalBytes < BASE_BYTES + SWAP_FACTOR * modelBytes) {
    return warning(
      `${found}, which is too little for swapping models`,
      'Add memory, or restart the service instead of swapping models.',
    )
  }
  return ok(found)
}

async function readFacts(config: Config): Promise<MemoryFacts> {
  const { memoryBytes = Infinity } = readCgroupLimits()
  let modelBytes = 0
  for (const { name, role } of selectedPacks(config)) {
    // Engines load it elsewhere; here is only its vocabulary.
    if (role === 'llm' && config.inference.languageEngines) continue
    const { manifest } = await resolvePack(config.modelsDir, name)
    const notLoaded = manifest.role === 'llm' ? mergedFiles(manifest.llm) : []
    for (const { path, sizeBytes = 0 } of manifest.files) {
      if (!notLoaded.includes(path)) modelBytes += sizeBytes
    }
  }
  return { totalBytes: Math.min(await readMachineMemory(), memoryBytes), modelBytes }
}

async function readMachineMemory(): Promise<number> {
  const info = await readFile('/proc/meminfo', 'utf8').catch(() => '')
  const kilobytes = Number(/^MemTotal:\s+(?<kb>\d+) kB$/m.exec(info)?.groups?.kb)
  return kilobytes > 0 ? kilobytes * 1_024 : os.totalmem()
}
