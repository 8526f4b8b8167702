import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Opens the databases of tests: in PostgreSQL when the run has a server. */
const OPENS_DATABASES = path.join('test', '_database.ts')

/**
 * They open one as every service does, but are about real models, signals, the client or attackers, and take minutes: what they call runs on
 * PostgreSQL in other suites.
 */
export const NOT_ABOUT_STORAGE = [
  'bench/fairness/attacks',
  'bench/fairness/victim',
  'client/retries',
  'client/streaming',
  'system/hot-swap',
  'system/prompt-injections',
  'system/real-models',
  'system/signals',
  'system/vision-engines',
].map((name) => path.join('test', `${name}.test.ts`))

const IMPORT = /(?:\bfrom|\bimport\(?)\s*'(?<target>\.[^']+)'/g

/**
 * Suites in which a database is opened: those that import `test/_database.ts`, through any number of files of `test`, unless they are about
 * something else.
 * Paths are relative to the project.
 */
export function listDatabaseSuites() {
  return listSuites().filter(
    (suite) => listReached(suite).has(OPENS_DATABASES) && !NOT_ABOUT_STORAGE.includes(suite),
  )
}

/** Suites of `npm test`. */
export function listSuites() {
  return readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => path.join('test', file))
    .toSorted()
}

/**
 * Files of the project that a file of `test` imports, through any number of files of `test`.
 * @param {string} start
 */
export function listReached(start) {
  const reached = new Set([start])
  for (const file of reached) {
    if (file.startsWith(`test${path.sep}`))
      for (const target of readImports(file)) reached.add(target)
  }
  return reached
}

/** @type {Map<string, string[]>} */
const importsOf = new Map()

/** @param {string} file */
function readImports(file) {
  const known = importsOf.get(file)
  if (known) return known
  const targets = [...readFileSync(file, 'utf8').matchAll(IMPORT)].flatMap(({ groups }) =>
    findSource(path.join(path.dirname(file), groups?.target ?? '')),
  )
  importsOf.set(file, targets)
  return targets
}

/**
 * The file of an import, if there is one: TypeScript is imported by the name of what it compiles to, and the text of a
 * script in a test may look like an import.
 * @param {string} target
 */
function findSource(target) {
  const candidates = [target.replace(/\.js$/, '.ts'), target.replace(/\.js$/, '.tsx'), target]
  return candidates.filter((candidate) => existsSync(candidate)).slice(0, 1)
}
