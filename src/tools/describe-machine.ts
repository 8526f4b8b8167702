import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { PROJECT_FOLDER } from './project-folder.js'

const MEASURED_PACKAGES = [
  'onnxruntime-node',
  'node-llama-cpp',
  'sharp',
  'better-sqlite3',
  'express',
]

/** Instruction sets that decide which kernels the engines use. */
const INSTRUCTION_SETS = [
  'avx2',
  'avx512f',
  'avx512_vnni',
  'avx_vnni',
  'amx_int8',
  'asimddp',
  'i8mm',
  'sve',
]

/** Hardware and versions that a report was measured with. */
export interface Machine {
  cpu: string | undefined
  /** Undefined where there is no /proc/cpuinfo. */
  instructionSets: string[] | undefined
  cores: number
  memoryGiB: number
  node: string
  versions: Record<string, string>
}

/** Describes this machine for a report. */
export function describeMachine(): Machine {
  const { dependencies } = JSON.parse(
    readFileSync(path.join(PROJECT_FOLDER, 'package.json'), 'utf8'),
  ) as { dependencies: Record<string, string> }
  return {
    cpu: os.cpus()[0]?.model.trim(),
    instructionSets: readInstructionSets(),
    cores: os.availableParallelism(),
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    node: process.version,
    versions: Object.fromEntries(MEASURED_PACKAGES.map((name) => [name, dependencies[name]!])),
  }
}

/** Processor generations that differ in speed by more than half share a model name; these flags distinguish them. */
function readInstructionSets(): string[] | undefined {
  try {
    const [, flags = ''] =
      /^(?:flags|Features)\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8')) ?? []
    const known = new Set(flags.trim().split(' '))
    return INSTRUCTION_SETS.filter((name) => known.has(name))
  } catch {
    return undefined
  }
}
