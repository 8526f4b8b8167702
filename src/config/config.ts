import os from 'node:os'
import path from 'node:path'
import { ConfigError } from './config-error.js'
import { dropEmpty, readEnvironmentFile } from './environment-file.js'
import { environmentSchema, type Environment } from './environment-schema.js'
import { readEngineSettings } from './language-engine-settings.js'
import { readPostgresSettings } from './postgres-settings.js'
import { countUsableCores } from './usable-cores.js'
import { countUsableDescriptors } from './usable-descriptors.js'
import { readVisionEngines, readVisionKey } from './vision-engines.js'

export type Config = ReturnType<typeof toConfig>

/** Variables that the model workers' native libraries read; workers get no others. */
const WORKER_VARIABLES =
  /^(?:PATH|HOME|TMPDIR|TEMP|TMP|TZ|LANG|LC_ALL|LD_LIBRARY_PATH|MALLOC_ARENA_MAX|CUDA_.*|NVIDIA_.*|GGML_.*|VK_.*|SystemRoot|windir)$/

const DEFAULT_SEQUENCES = 12

/**
 * Reads the configuration from environment variables and the file ENV_FILE. Environment variables override the file;
 * empty ones count as unset.
 * @throws ConfigError listing all problems
 */
export function readConfig(processEnv: NodeJS.ProcessEnv = process.env): Config {
  const env = dropEmpty(processEnv)
  const parsed = environmentSchema.safeParse({ ...readEnvironmentFile(env.ENV_FILE), ...env })
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      (issue) => `  ${issue.path.join('.')}: ${issue.message}`,
    )
    throw new ConfigError(`The configuration is invalid:\n${problems.join('\n')}`)
  }
  return toConfig(parsed.data, pickWorkerVariables(env))
}

function pickWorkerVariables(env: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => WORKER_VARIABLES.test(name)))
}

function toConfig(env: Environment, workerEnvironment: Record<string, string>) {
  // With more threads than cores, llama.cpp's spinning threads compete: up to 200 times slower.
  const cores = os.availableParallelism()
  const usableCores = countUsableCores()
  const { engines: languageEngines, apiKey: languageApiKey } = readEngineSettings(env)
  return deepFreeze({
    host: env.HOST,
    port: env.PORT,
    publicUrl: env.PUBLIC_URL === undefined ? undefined : new URL(env.PUBLIC_URL).origin,
    trustedProxies: env.TRUST_PROXY,
    identityProvider: toIdentityProvider(env),
    metrics: { port: env.METRICS_PORT },
    dataDir: path.resolve(env.DATA_DIR),
    requireDatabase: env.REQUIRE_DATABASE,
    postgres: readPostgresSettings(env),
    serverSecretFile:
      env.SERVER_SECRET_FILE === undefined ? undefined : path.resolve(env.SERVER_SECRET_FILE),
    plansFile: env.PLANS_FILE === undefined ? undefined : path.resolve(env.PLANS_FILE),
    modelsDir: path.resolve(env.MODELS_DIR),
    exemplarsDir: folderOf(env, 'EXEMPLARS_DIR', 'opener-exemplars'),
    releasesExemplars: env.EXEMPLARS_RELEASE,
    matchReasonsDir: folderOf(env, 'MATCH_REASONS_DIR', 'match-reasons'),
    packs: {
      clip: env.CLIP_PACK,
      llm: env.LLM_PACK,
      photoSafety: env.PHOTO_SAFETY_PACK,
      bioSafety: env.BIO_SAFETY_PACK,
      match: env.MATCH_PACK,
    },
    modelsOffline: env.MODELS_OFFLINE,
    hub: { endpoint: env.HF_ENDPOINT },
    log: { level: env.LOG_LEVEL, format: env.LOG_FORMAT },
    inference: {
      device: env.DEVICE,
      visionThreads: Math.min(env.VISION_THREADS ?? usableCores, cores),
      languageThreads: Math.min(env.LANGUAGE_THREADS ?? usableCores, cores),
      /** Texts that are generated at a time, by the worker or by the engines. */
      languageSequences:
        languageEngines?.concurrency ?? env.LANGUAGE_SEQUENCES ?? DEFAULT_SEQUENCES,
      /** Undefined: the language worker generates. */
      languageEngines,
      matchConcurrency: env.MATCH_CONCURRENCY,
      queueLimit: env.QUEUE_LIMIT,
      visionEngines: readVisionEngines(env),
      gpus: { vision: env.VISION_GPU, language: env.LANGUAGE_GPU },
      workerMemoryLimitBytes: env.WORKER_MEMORY_LIMIT_BYTES,
      workerIsolation: env.WORKER_ISOLATION,
      idleUnloadMs: env.IDLE_UNLOAD_SECONDS * 1_000,
      workerEnvironment,
    },
    maxConnections: Math.min(env.MAX_CONNECTIONS, Math.floor(countUsableDescriptors() / 2)),
    requestTimeoutMs: env.REQUEST_TIMEOUT_MS,
    shutdownGraceMs: env.SHUTDOWN_GRACE_MS,
    bodyLimitBytes: env.BODY_LIMIT_BYTES,
    bodiesLimitBytes: Math.max(env.BODIES_LIMIT_BYTES, 2 * env.BODY_LIMIT_BYTES),
    learning: { isAllowed: env.LEARNING, isPooled: env.LEARNING_POOLING },
    retention: {
      eventsDays: env.EVENTS_RETENTION_DAYS,
      callsDays: env.CALLS_RETENTION_DAYS,
      auditDays: env.AUDIT_RETENTION_DAYS,
      usageDays: env.USAGE_RETENTION_DAYS,
    },
    photos: {
      allowHttp: env.PHOTO_ALLOW_HTTP,
      allowedCidrs: env.PHOTO_ALLOW_CIDR,
      fetchTimeoutMs: env.PHOTO_FETCH_TIMEOUT_MS,
      limitBytes: env.PHOTOS_LIMIT_BYTES,
      cacheEntries: env.PHOTO_CACHE_ENTRIES,
      cacheTtlMs: env.PHOTO_CACHE_TTL_SECONDS * 1_000,
      nsfwThreshold: env.PHOTO_NSFW_THRESHOLD,
    },
    secrets: {
      metricsToken: env.METRICS_TOKEN,
      hubToken: env.HF_TOKEN,
      languageApiKey,
      oidcClientSecret: env.OIDC_CLIENT_SECRET,
      visionApiKey: readVisionKey(env),
    },
  })
}

function toIdentityProvider({
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: clientId,
  ...env
}: Environment) {
  if (issuer === undefined || clientId === undefined) return undefined
  return { issuer, clientId, label: env.OIDC_LABEL, emailDomains: env.OIDC_EMAIL_DOMAINS }
}

function deepFreeze<T>(value: T): T {
  if (value !== null && typeof value === 'object') {
    Object.values(value).forEach(deepFreeze)
    Object.freeze(value)
  }
  return value
}

/**
 * Folder with texts written by hand; undefined when there shall be none.
 * @param usual - its name in the folder of the models
 */
function folderOf(
  env: Environment,
  setting: 'EXEMPLARS_DIR' | 'MATCH_REASONS_DIR',
  usual: string,
): string | undefined {
  const folder = env[setting]
  if (folder === 'none') return undefined
  return path.resolve(folder ?? path.join(env.MODELS_DIR, usual))
}
