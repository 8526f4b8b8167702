import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { failed, ok, type Finding } from '../check.js'

const NATIVE_MODULES = ['better-sqlite3', 'sharp', 'onnxruntime-node', 'node-llama-cpp']
const TIMEOUT_MS = 60_000

/** Checks that every native module loads. Each loads in a separate process, because it may crash it. */
export async function checkNativeModules(modules = NATIVE_MODULES): Promise<Finding> {
  const failures: string[] = []
  for (const name of modules) {
    const problem = await findLoadProblem(name)
    if (problem !== undefined) failures.push(`${name}: ${problem}`)
  }
  if (failures.length === 0) return ok(modules.join(', '))
  return failed(
    failures.join('; '),
    'Reinstall on this machine with this version of Node: rm -rf node_modules && npm start',
  )
}

async function findLoadProblem(name: string): Promise<string | undefined> {
  // Resolves to the compiled file both from dist and from src, where it runs under jest.
  const entry = new URL('../../../dist/doctor/load-native-module.js', import.meta.url)
  const child = spawn(process.execPath, [fileURLToPath(entry), name], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: TIMEOUT_MS,
  })
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const [exitCode, signal] = (await once(child, 'close')) as [number | null, string | null]
  if (signal === 'SIGILL') return 'it uses instructions that this processor lacks'
  if (signal !== null) return `it was killed by ${signal}`
  if (exitCode === 0) return undefined
  return /^\w*Error.*$/m.exec(errors)?.[0] ?? `exit code ${exitCode}`
}
