import { readFile } from 'node:fs/promises'
import os from 'node:os'
import type { Config } from '../../config/config.js'
import { formatBytes } from '../../packs/format-bytes.js'
import type { PackRole } from '../../packs/manifest.js'
import { resolvePack } from '../../packs/pack-folder.js'
import { mergedFiles } from '../../packs/role-sections.js'
import { selectedPacks } from '../../packs/selected-packs.js'
import { readCgroupLimits } from '../../config/cgroup-limits.js'
import { failed, ok, warning, type Finding } from '../check.js'

/** Memory of each process under load, models excluded; measured with the embedded packs. */
const PROCESS_BYTES = { server: 250e6, vision: 400e6, language: 700e6, vocabulary: 200e6 }
/** During a swap the old model stays loaded until the new one is ready. */
const SWAP_FACTOR = 2

export interface MemoryFacts {
  totalBytes: number
  modelBytes: number
}

/** Checks that the models fit into memory, also during a swap. */
export async function checkMemory(config: Config, facts?: MemoryFacts): Promise<Finding> {
  const { totalBytes, modelBytes } = facts ?? (await readFacts(config))
  const baseBytes = sumProcesses(config)
  const needed = baseBytes + modelBytes
  const found = `${formatBytes(totalBytes)}, about ${formatBytes(needed)} needed`
  if (totalBytes < needed) {
    return failed(found, 'Add memory, or choose smaller packs: npm run models -- list')
  }
  if (totalBytes < baseBytes + SWAP_FACTOR * modelBytes) {
    return warning(
      `${found}, which is too little for swapping models`,
      'Add memory, or restart the service instead of swapping models.',
    )
  }
  return ok(found)
}

function sumProcesses({ inference }: Pick<Config, 'inference'>): number {
  const { server, vision, language, vocabulary } = PROCESS_BYTES
  return (
    server +
    (isHere('clip', inference) ? vision : 0) +
    (isHere('llm', inference) ? language : vocabulary)
  )
}

/** Whether models of a role are loaded on this machine. */
function isHere(
  role: PackRole,
  {
    languageEngines,
    visionEngines,
  }: Pick<Config['inference'], 'languageEngines' | 'visionEngines'>,
): boolean {
  if (role === 'llm') return languageEngines === undefined
  // The models of KServe engines are loaded here at each start, to compare what the engines answer.
  return visionEngines?.protocol !== 'worker'
}

async function readFacts(config: Config): Promise<MemoryFacts> {
  const { memoryBytes = Infinity } = readCgroupLimits()
  let modelBytes = 0
  for (const { name, role } of selectedPacks(config)) {
    if (!isHere(role, config.inference)) continue
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
