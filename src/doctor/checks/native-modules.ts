import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { failed, ok, type Finding } from '../check.js'

const NATIVE_MODULES = ['better-sqlite3', 'sharp', 'onnxruntime-node', 'node-llama-cpp']
const LIMIT_MS = 60_000

/** Whether every native module loads; each in a process of its own, which it may take down. */
export async function checkNativeModules(modules = NATIVE_MODULES): Promise<Finding> {
  const failures: string[] = []
  for (const name of modules) {
    const problem = await problemWhenLoading(name)
    if (problem !== undefined) failures.push(`${name}: ${problem}`)
  }
  if (failures.length === 0) return ok(modules.join(', '))
  return failed(
    failures.join('; '),
    'Install again on this machine and with this Node: rm -rf node_modules && npm start',
  )
}

async function problemWhenLoading(name: string): Promise<string | undefined> {
  // The same path from src/doctor/checks, under jest, and from dist/doctor/checks.
  const entry = new URL('../../../dist/doctor/load-native-module.js', import.meta.url)
  const child = spawn(process.execPath, [fileURLToPath(entry), name], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: LIMIT_MS,
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const [exitCode, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (signal === 'SIGILL') return 'it uses instructions that this processor lacks'
  if (signal !== null) return `it was ended by ${signal}`
  if (exitCode === 0) return undefined
  return /^\w*Error.*$/m.exec(errors)?.[0] ?? `exit code ${exitCode}`
}
