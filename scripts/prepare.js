import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** Installs dependencies and builds what is missing or out of date. Uses Node alone, because nothing is installed yet. */

const projectDir = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

const dependenciesStamp = path.join(projectDir, 'node_modules', '.prepared')

export function prepare() {
  checkNodeVersion()
  process.chdir(projectDir)
  ensureDependencies()
  buildClient()
  buildService()
}

function checkNodeVersion() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(`Node 20.19 or newer is needed; this is ${process.versions.node}.`)
  process.exit(1)
}

function ensureDependencies() {
  // Native modules are built for one Node ABI, so another Node needs another install.
  const wanted = hashOf([
    readFileSync('package-lock.json'),
    process.versions.modules,
    process.platform,
  ])
  if (readStamp(dependenciesStamp) === wanted) return
  const isFirst = !existsSync('node_modules')
  step(isFirst ? 'Installing dependencies (a minute or two)' : 'Bringing dependencies up to date')
  // Not `npm ci`: it refuses where a registry lacks the optional binaries of other platforms.
  run('npm', ['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], {
    // Its install script downloads CUDA libraries, which the CPU build does not use.
    ONNXRUNTIME_NODE_INSTALL: 'skip',
  })
  writeFileSync(dependenciesStamp, wanted)
}

/** Must run before `buildService`: the demo imports the client by its package name. */
function buildClient() {
  const project = path.join('client', 'tsconfig.json')
  const sources = [...listFiles(path.join('client', 'src')), 'tsconfig.json', project]
  build({ project, output: path.join('client', 'dist'), sources })
}

/** Compiles the service and its tools, and bundles the portal. */
function buildService() {
  const bundler = path.join('scripts', 'build-portal.js')
  const sources = [...listFiles('src'), 'tsconfig.json', 'tsconfig.build.json', bundler]
  build({
    project: 'tsconfig.build.json',
    output: 'dist',
    sources,
    bundle: (fresh) => run(process.execPath, [bundler, path.join(fresh, 'portal', 'assets')]),
  })
}

/**
 * @param {object} target
 * @param {string} target.project
 * @param {string} target.output
 * @param {string[]} target.sources
 * @param {(fresh: string) => void} [target.bundle] - adds files that are not compiled to the new folder
 */
function build({ project, output, sources, bundle }) {
  const stamp = path.join(output, '.built')
  const wanted = hashOf(
    sources.map((file) => `${file} ${statSync(file).mtimeMs} ${statSync(file).size}`),
  )
  if (readStamp(stamp) === wanted) return
  step(`Building ${output}`)
  // Built in another folder and moved into place, so that a running server always finds its worker files.
  const fresh = path.resolve(`${output}.${process.pid}`)
  // A failed build leaves nothing behind.
  process.once('exit', () => rmSync(fresh, { recursive: true, force: true }))
  run(process.execPath, [
    path.join('node_modules', 'typescript', 'bin', 'tsc'),
    '-p',
    project,
    '--outDir',
    fresh,
  ])
  bundle?.(fresh)
  writeFileSync(path.join(fresh, path.basename(stamp)), wanted)
  // Another command may have built the same meanwhile.
  if (readStamp(stamp) === wanted) return
  rmSync(output, { recursive: true, force: true })
  renameSync(fresh, output)
}

function step(/** @type {string} */ text) {
  console.error(`▸ ${text} …`)
}

/**
 * @param {string} command
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
export function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  if (status === 0) return
  console.error(`\n"${[command, ...args].join(' ')}" failed${error ? `: ${error.message}` : ''}.`)
  process.exit(status ?? 1)
}

/** @returns {string[]} */
function listFiles(/** @type {string} */ folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
}

function readStamp(/** @type {string} */ file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function hashOf(/** @type {(string | Buffer)[]} */ parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\n')
  return hash.digest('hex')
}
