import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { DEFAULT_ENVIRONMENT_FILE } from './environment-file.js'

const integer = z.coerce
  .number({ error: ({ code }) => (code === 'invalid_type' ? 'must be a whole number' : undefined) })
  .int()
const port = integer.min(0).max(65_535)
const count = integer.min(1)
const gpuList = z
  .string()
  .regex(/^[\w-]+(?:,[\w-]+)*$/, 'must be GPU numbers or ids, separated by commas')
/** Longer delays make Node's timers fire immediately: 24 days and 20 hours. */
const MAX_TIMER_MS = 2 ** 31 - 1
const MAX_TIMER_SECONDS = Math.floor(MAX_TIMER_MS / 1_000)
const milliseconds = count.max(MAX_TIMER_MS, `must be at most ${MAX_TIMER_MS} (24 days)`)
const seconds = integer.max(MAX_TIMER_SECONDS, `must be at most ${MAX_TIMER_SECONDS} (24 days)`)
const retentionDays = count.max(36_500).optional()
const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
const packName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]*$/, 'must be the name of a folder in MODELS_DIR')
const cidrList = z
  .string()
  .transform(splitList)
  .refine((ranges) => ranges.every((range) => ipaddr.isValidCIDR(range)), {
    message: 'must be CIDR ranges, separated by commas, such as 10.1.0.0/16,fd00::/8',
  })

/** Bases of servers that run models. A key belongs into a file, not into a URL that is logged. */
const engineUrls = z
  .string()
  .transform(splitList)
  .refine((urls) => urls.length > 0 && urls.length <= 64 && urls.every(isEngineUrl), {
    message:
      'must be 1 to 64 http: or https: URLs without user, password, query and fragment, separated by commas',
  })
  .transform((urls) => [...new Set(urls.map((url) => url.replace(/\/+$/, '')))])

/** What may run at LANGUAGE_URL. */
export const ENGINE_NAMES = ['vllm', 'sglang', 'llama-server'] as const

const postgresUrl = z.url({ protocol: /^postgres(?:ql)?$/ })

const proxyList = z
  .string()
  .transform(splitList)
  .refine((proxies) => proxies.every(isProxy), {
    message:
      'must be IP addresses, CIDR ranges, `loopback`, `linklocal` or `uniquelocal`, separated by commas',
  })

/**
 * Every environment variable that the service reads. Defaults and descriptions appear in docs/configuration.md, which is
 * generated from this schema.
 */
export const environmentSchema = z
  .object({
    ENV_FILE: z
      .string()
      .default(DEFAULT_ENVIRONMENT_FILE)
      .describe(
        'File with more variables, one `NAME=value` per line. A reload reads it again, so models can be changed there.',
      ),
    HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
    PORT: port.default(8080).describe('Port of the API. 0: any free port.'),
    PUBLIC_URL: z
      .url({ protocol: /^https?$/ })
      .refine((value) => URL.canParse(value) && new URL(value).pathname === '/', {
        message: 'must be a URL without a path, such as https://profiles.example.com',
      })
      .optional()
      .describe(
        'Public base URL of the service, used in links. The portal answers only under its host, and with `https:` its cookies are `Secure`. Unset: taken from the request, or from HOST and PORT for links printed on a terminal.',
      ),
    TRUST_PROXY: proxyList
      .default([])
      .describe(
        'Reverse proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` headers are trusted: addresses, CIDR ranges, `loopback`, or `uniquelocal` for container networks. Empty: none.',
      ),
    OIDC_ISSUER: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        'OpenID Connect provider for signing in to the portal; the service sends requests to it. It must assert `email_verified: true`. Unset: passwords only.',
      ),
    OIDC_CLIENT_ID: z.string().min(1).optional().describe('Client id at the provider.'),
    OIDC_CLIENT_SECRET: z
      .string()
      .min(1)
      .optional()
      .describe('Client secret at the provider. Unset: public client with PKCE only.'),
    OIDC_LABEL: z
      .string()
      .min(1)
      .max(40)
      .default('single sign-on')
      .describe('Provider name on the sign-in button: “Continue with …”.'),
    OIDC_EMAIL_DOMAINS: z
      .string()
      .transform((value) => splitList(value.toLowerCase()))
      .default([])
      .describe(
        'Domains of the e-mail addresses that may sign in with the provider, separated by commas. Empty: any domain, but only with an invitation.',
      ),
    METRICS_PORT: port
      .optional()
      .describe(
        'Port on HOST that serves Prometheus metrics without authentication. Unset: no separate port.',
      ),
    METRICS_TOKEN: z
      .string()
      .min(16)
      .optional()
      .describe(
        'Bearer token (at least 16 characters) for `/metrics` on PORT. Unset: `/metrics` is not served on PORT.',
      ),
    DATA_DIR: z
      .string()
      .min(1)
      .default('./data')
      .describe('Folder with the database and the server secret.'),
    REQUIRE_DATABASE: flag
      .default(false)
      .describe(
        '`true`: never create a database, so that an empty folder in place of a volume that is not mounted is an error. Set it after the first start.',
      ),
    DATABASE_URL: postgresUrl
      .optional()
      .describe(
        'PostgreSQL database (version 15 or later), such as `postgres://user:password@host/name`; may lead through a pooler in transaction mode. Unset: SQLite in DATA_DIR.',
      ),
    DATABASE_URL_FILE: z
      .string()
      .min(1)
      .optional()
      .describe('File that holds the DATABASE_URL, such as a mounted secret.'),
    DATABASE_DIRECT_URL: postgresUrl
      .optional()
      .describe('The same database without a pooler, for migrations. Unset: DATABASE_URL.'),
    DATABASE_POOL: count
      .max(500)
      .default(10)
      .describe('Connections of this process to PostgreSQL at a time.'),
    MIGRATIONS: z
      .enum(['start', 'only', 'never'])
      .default('start')
      .describe(
        'With PostgreSQL. `start`: the server migrates the database when it starts; replicas take turns. `only`: it migrates and ends. `never`: it refuses a database that is not up to date.',
      ),
    SERVER_SECRET_FILE: z
      .string()
      .min(1)
      .optional()
      .describe(
        'File with the server secret (32 bytes), the same for all replicas; required with PostgreSQL. Unset: `server-secret` in DATA_DIR, created at the first start.',
      ),
    PLANS_FILE: z
      .string()
      .min(1)
      .optional()
      .describe(
        'JSON file with the plans. Unset: `plans.json` in DATA_DIR, created with default plans.',
      ),
    MODELS_DIR: z.string().min(1).default('./models').describe('Folder with the model packs.'),
    EXEMPLARS_DIR: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Folder with openers written by hand, as `.jsonl` files. Unset: `opener-exemplars` in MODELS_DIR. `none`: the language model writes all openers.',
      ),
    EXEMPLARS_RELEASE: flag
      .default(true)
      .describe(
        '`false`: openers written by hand only serve as examples in the prompts of the language model, which writes all openers.',
      ),
    MATCH_REASONS_DIR: z
      .string()
      .min(1)
      .optional()
      .describe(
        'Folder with match reasons written by hand, as `.jsonl` files. Unset: `match-reasons` in MODELS_DIR. `none`: the language model or a template words all reasons.',
      ),
    CLIP_PACK: packName.default('clip-lite').describe('Pack that embeds photos and captions.'),
    LLM_PACK: packName.default('smollm2-135m-openers').describe('Pack with the language model.'),
    PHOTO_SAFETY_PACK: packName.default('open-nsfw').describe('Pack that scores photo safety.'),
    BIO_SAFETY_PACK: packName
      .default('bio-safety-e5-small')
      .describe('Pack that classifies bios as harmless or unsafe.'),
    MATCH_PACK: packName
      .default('match-minilm')
      .describe('Pack that scores how well two profiles match.'),
    MODELS_OFFLINE: flag
      .default(false)
      .describe('`true`: never download model files; fail if one is missing.'),
    HF_ENDPOINT: z
      .url({ protocol: /^https?$/ })
      .default('https://huggingface.co')
      .describe('Hugging Face Hub, or a mirror of it, to download model files from.'),
    HF_TOKEN: z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces')
      .optional()
      .describe('Access token for gated or private models; only sent to HF_ENDPOINT.'),
    LOG_LEVEL: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
      .default('info')
      .describe('Minimum log level.'),
    LOG_FORMAT: z
      .enum(['auto', 'json', 'pretty'])
      .default('auto')
      .describe('`auto`: `pretty` on a terminal, `json` elsewhere.'),
    DEVICE: z
      .enum(['auto', 'cpu', 'gpu'])
      .default('auto')
      .describe('`auto`: use a GPU if there is one. `gpu`: fail to start without one.'),
    VISION_THREADS: count
      .max(256)
      .optional()
      .describe(
        'Threads of the vision worker. Unset: the number of cores this process may use, container limits included.',
      ),
    LANGUAGE_THREADS: count
      .max(256)
      .optional()
      .describe('Threads of the language worker. Unset: as for the vision worker.'),
    LANGUAGE_SEQUENCES: count
      .max(64)
      .optional()
      .describe(
        'Texts that the language worker generates in parallel. An openers call needs eight to twenty; each takes memory for its context. Unset: 12.',
      ),
    LANGUAGE_URL: engineUrls
      .optional()
      .describe(
        'Base URLs of completions servers, separated by commas, such as `http://engine-1:8000,http://engine-2:8000`. They generate texts in place of the language worker and serve the model of LLM_PACK, whose vocabulary stays here. Unset: language worker.',
      ),
    LANGUAGE_ENGINE: z
      .enum(ENGINE_NAMES)
      .optional()
      .describe('What runs at LANGUAGE_URL; required with it: `vllm`, `sglang` or `llama-server`.'),
    LANGUAGE_MODEL: z
      .string()
      .regex(/^[\x21-\x7e]{1,200}$/, 'must be the name of a model at the engine, without spaces')
      .optional()
      .describe(
        'Name of the model or adapter at LANGUAGE_URL, as its `/v1/models` lists it; for an adapter at SGLang `model:adapter`. Required with `vllm` and `sglang`.',
      ),
    LANGUAGE_API_KEY_FILE: z
      .string()
      .min(1)
      .optional()
      .describe(
        'File with the API key that the engines at LANGUAGE_URL require. Unset: none is sent.',
      ),
    LANGUAGE_CONCURRENCY: count
      .max(4_096)
      .optional()
      .describe(
        'Texts that this process has generated at a time at all of LANGUAGE_URL together. Unset: 24 for each URL.',
      ),
    MATCH_CONCURRENCY: count
      .max(1_024)
      .default(8)
      .describe(
        'Match calls processed at the same time. Higher values fill the larger batches of a GPU.',
      ),
    QUEUE_LIMIT: count
      .default(64)
      .describe(
        'Calls of a capability that may wait during a burst, provided that none waits longer than 5 s; further ones get `overloaded`. Under sustained load, at most as many of one organisation wait as are processed. When the queue is full, the organisation with the longest part gives way.',
      ),
    IDLE_UNLOAD_SECONDS: seconds
      .min(0)
      .default(0)
      .describe(
        'Stops a model worker that has been idle for this many seconds; the next call starts it again. 0: never.',
      ),
    VISION_GPU: gpuList
      .optional()
      .describe(
        'GPUs visible to the vision worker, such as `0`, `1,2` or `GPU-8f2e…`. Unset: all.',
      ),
    VISION_URL: engineUrls
      .optional()
      .describe(
        'Servers that run the models for photos and texts, such as `http://triton:8000`, separated by commas; all must have the same models. Unset: the vision worker of this machine.',
      ),
    VISION_PROTOCOL: z
      .enum(['kserve', 'worker'])
      .optional()
      .describe(
        '`kserve` (the default with VISION_URL): Open Inference Protocol 2 over HTTP with binary tensors, as Triton and OpenVINO Model Server speak it. `worker`: `profile-intelligence vision-worker`.',
      ),
    VISION_API_KEY_FILE: z
      .string()
      .min(1)
      .optional()
      .describe(
        'File with the key (16 characters or more) that is sent to VISION_URL as a bearer token, and that `vision-worker` asks for. Unset: none.',
      ),
    VISION_CONCURRENCY: count
      .max(1_024)
      .default(16)
      .describe('Requests to the servers of VISION_URL at a time. A batch of photos is one.'),
    LANGUAGE_GPU: gpuList
      .optional()
      .describe(
        'GPUs visible to the language worker, which splits a model across them. Unset: all.',
      ),
    WORKER_MEMORY_LIMIT_BYTES: count
      .min(100_000_000)
      .optional()
      .describe(
        'Resident memory above which a model worker is replaced. No call is lost; both workers run for a moment. Unset: no limit.',
      ),
    MAX_CONNECTIONS: count
      .default(8_192)
      .describe(
        'Connections to the service at a time; beyond them, idle ones are closed, first those of the client that has the most. At most half of the files that the process may open.',
      ),
    WORKER_ISOLATION: z
      .enum(['auto', 'required', 'off'])
      .default('auto')
      .describe(
        'Model workers run without network, file writes and processes of their own. `auto`: as far as the system allows, which the log, `/readyz` and the doctor show. `required`: refuse to start without it. `off`: for debuggers.',
      ),
    REQUEST_TIMEOUT_MS: milliseconds
      .min(1_000)
      .default(60_000)
      .describe(
        'Time limit of a call, counted from the end of its upload; slower calls get a 503.',
      ),
    SHUTDOWN_GRACE_MS: milliseconds
      .default(20_000)
      .describe('How long a shutdown waits for calls in flight.'),
    BODY_LIMIT_BYTES: count
      .default(64 * 1024 * 1024)
      .describe(
        'Maximum size of a JSON body. A `data:` photo takes a third more than its file: 64 MiB hold 48 MB of photos.',
      ),
    BODIES_LIMIT_BYTES: count
      .default(256 * 1024 * 1024)
      .describe(
        'Maximum total size of the bodies of all calls in flight; further calls get `overloaded`. One organisation may hold half. Uses up to three times as much memory. At least twice BODY_LIMIT_BYTES.',
      ),
    LEARNING: flag
      .default(true)
      .describe(
        '`false`: nothing is learnt from reported outcomes, and no traits of openers are stored. Partners can switch it off for themselves.',
      ),
    LEARNING_POOLING: flag
      .default(false)
      .describe(
        '`true`: a live environment starts from what the live environments of other organisations learnt, at most 1,000 openers of each. Ask your partners first.',
      ),
    EVENTS_RETENTION_DAYS: retentionDays.describe(
      'Events older than this, and end users without newer ones, are deleted daily; analytics counts stay. Unset: kept.',
    ),
    CALLS_RETENTION_DAYS: retentionDays.describe(
      'Records of calls older than this are deleted daily together with their events; events about older calls are rejected. Unset: kept.',
    ),
    AUDIT_RETENTION_DAYS: retentionDays.describe(
      'Audit log entries older than this are deleted daily. Unset: kept.',
    ),
    USAGE_RETENTION_DAYS: retentionDays.describe(
      'Usage of days and months that ended longer ago is deleted daily. Unset: kept.',
    ),
    PHOTO_ALLOW_HTTP: flag.default(false).describe('`true`: fetch `http:` photo URLs too.'),
    PHOTO_ALLOW_CIDR: cidrList
      .default([])
      .describe('Private CIDR ranges to fetch photos from, separated by commas. Empty: none.'),
    PHOTO_FETCH_TIMEOUT_MS: milliseconds
      .default(8_000)
      .describe('Time limit for fetching all photos of a call, redirects included.'),
    PHOTOS_LIMIT_BYTES: count
      .default(512 * 1024 * 1024)
      .describe(
        'Maximum total size of the photos that all calls in flight have fetched; further calls get `overloaded`. One organisation may hold half.',
      ),
    PHOTO_CACHE_ENTRIES: count
      .default(20_000)
      .describe('Number of photo analyses kept in memory, keyed by content hash.'),
    PHOTO_CACHE_TTL_SECONDS: seconds
      .min(1)
      .default(86_400)
      .describe('How long a photo analysis is kept.'),
    PHOTO_NSFW_THRESHOLD: z.coerce
      .number()
      .min(0)
      .max(1)
      .default(0.8)
      .describe('Photos with at least this NSFW probability are refused with `unsafe_content`.'),
  })
  .refine(
    ({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId }) =>
      (issuer === undefined) === (clientId === undefined),
    {
      path: ['OIDC_ISSUER'],
      message: 'requires OIDC_CLIENT_ID and vice versa; set both or neither',
      // By default zod skips this check while other variables have problems.
      when: () => true,
    },
  )

export type Environment = z.infer<typeof environmentSchema>

function splitList(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

function isEngineUrl(text: string): boolean {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return false
  const { username, password, search, hash } = new URL(text)
  return username + password + search + hash === ''
}

function isProxy(text: string): boolean {
  return (
    ['loopback', 'linklocal', 'uniquelocal'].includes(text) ||
    ipaddr.isValid(text) ||
    ipaddr.isValidCIDR(text)
  )
}
