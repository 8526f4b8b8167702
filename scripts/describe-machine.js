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

/** What a report was measured on. */
export function describeMachine() {
  const { dependencies } = JSON.parse(readFileSync(path.join(projectDir, 'package.json'), 'utf8'))
  return {
    cpu: os.cpus()[0]?.model.trim(),
    cores: os.availableParallelism(),
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    node: process.version,
    versions: Object.fromEntries(MEASURED_PACKAGES.map((name) => [name, dependencies[name]])),
  }
}
