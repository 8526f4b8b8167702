import { ConfigError } from './config-error.js'
import type { ENGINE_NAMES, Environment } from './environment-schema.js'
import { readNamedFile } from './read-named-file.js'

export type EngineName = (typeof ENGINE_NAMES)[number]

/** Servers that generate texts in place of the language worker. */
export interface EngineSettings {
  /** Base URLs without a trailing slash; all serve the same model. */
  urls: readonly string[]
  engine: EngineName
  /** Name of the model at the engines; undefined: the only one that they serve. */
  model: string | undefined
  /** Texts in generation at a time, at all of them together. */
  concurrency: number
}

const TEXTS_PER_ENGINE = 24
const MAX_KEY_LENGTH = 4_096

/** Variables that say something about LANGUAGE_URL. */
const ENGINE_VARIABLES = [
  'LANGUAGE_ENGINE',
  'LANGUAGE_MODEL',
  'LANGUAGE_API_KEY_FILE',
  'LANGUAGE_CONCURRENCY',
] as const
/** Variables of the language worker, which LANGUAGE_URL replaces. */
const WORKER_VARIABLES = ['LANGUAGE_THREADS', 'LANGUAGE_SEQUENCES', 'LANGUAGE_GPU'] as const

/**
 * Reads where texts are generated. `engines` is undefined when the language worker generates them.
 * @throws ConfigError listing all problems
 */
export function readEngineSettings(env: Environment): {
  engines: EngineSettings | undefined
  apiKey: string | undefined
} {
  const { LANGUAGE_URL: urls, LANGUAGE_ENGINE: engine, LANGUAGE_MODEL: model } = env
  const problems = urls ? listProblems(env) : listUseless(env, ENGINE_VARIABLES, 'without')
  if (problems.length > 0) {
    throw new ConfigError(`The configuration is invalid:\n  ${problems.join('\n  ')}`)
  }
  if (!urls || !engine) return { engines: undefined, apiKey: undefined }
  const concurrency = env.LANGUAGE_CONCURRENCY ?? urls.length * TEXTS_PER_ENGINE
  return { engines: { urls, engine, model, concurrency }, apiKey: readKey(env) }
}

function listProblems(env: Environment): string[] {
  const { LANGUAGE_ENGINE: engine, LANGUAGE_MODEL: model } = env
  const problems = listUseless(env, WORKER_VARIABLES, 'with')
  if (!engine) {
    problems.push('LANGUAGE_ENGINE: is required with LANGUAGE_URL: vllm, sglang or llama-server')
  }
  if (model === undefined && (engine === 'vllm' || engine === 'sglang')) {
    problems.push(
      `LANGUAGE_MODEL: is required with LANGUAGE_ENGINE=${engine}: a name that /v1/models lists`,
    )
  }
  return problems
}

function listUseless(
  env: Environment,
  names: readonly (keyof Environment)[],
  relation: 'with' | 'without',
): string[] {
  return names
    .filter((name) => env[name] !== undefined)
    .map((name) => `${name}: has no effect ${relation} LANGUAGE_URL; remove it`)
}

function readKey({ LANGUAGE_API_KEY_FILE: file }: Environment): string | undefined {
  if (file === undefined) return undefined
  const key = readNamedFile('LANGUAGE_API_KEY_FILE', file).trim()
  if (/^[\x21-\x7e]+$/.test(key) && key.length <= MAX_KEY_LENGTH) return key
  throw new ConfigError(
    `The file named by LANGUAGE_API_KEY_FILE must hold one key of printable characters without spaces: ${file}`,
  )
}
