import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { projectDir } from './prepare.js'

const MEASURED_PACKAGES = [
  'onnxruntime-node',
  'node-llama-cpp',
  'sharp',
  'better-sqlite3',
  'express',
]

/** Those that decide which kernels the engines use. */
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

/** What a report was measured on. */
export function describeMachine() {
  const { dependencies } = JSON.parse(readFileSync(path.join(projectDir, 'package.json'), 'utf8'))
  return {
    cpu: os.cpus()[0]?.model.trim(),
    instructionSets: readInstructionSets(),
    cores: os.availableParallelism(),
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    node: process.version,
    versions: Object.fromEntries(MEASURED_PACKAGES.map((name) => [name, dependencies[name]])),
  }
}

/** Of Linux: generations of processors that differ by more than half their speed share one name. */
function readInstructionSets() {
  try {
    const [, flags = ''] =
      /^(?:flags|Features)\s*:(.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8')) ?? []
    const known = new Set(flags.trim().split(' '))
    return INSTRUCTION_SETS.filter((name) => known.has(name))
  } catch {
    return undefined
  }
}
