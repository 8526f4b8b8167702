import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { DEFAULT_ENVIRONMENT_FILE } from './environment-file.js'

const port = z.coerce.number().int().min(0).max(65_535)
const count = z.coerce.number().int().min(1)
const gpuList = z
  .string()
  .regex(/^[\w-]+(?:,[\w-]+)*$/, 'must be numbers or ids of GPUs, separated by commas')
/** Node's timers do not wait at all when they are told to wait longer: 24 days and 20 hours. */
const MAX_TIMER_MS = 2 ** 31 - 1
const MAX_TIMER_SECONDS = Math.floor(MAX_TIMER_MS / 1_000)
const milliseconds = count.max(MAX_TIMER_MS, `must be at most ${MAX_TIMER_MS} (24 days)`)
const seconds = z.coerce
  .number()
  .int()
  .max(MAX_TIMER_SECONDS, `must be at most ${MAX_TIMER_SECONDS} (24 days)`)
const retentionDays = count.max(36_500).optional()
const flag = z.enum(['true', 'false']).transform((value) => value === 'true')
const packName = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]*$/, 'must be the name of a folder in MODELS_DIR')
const cidrList = z
  .string()
  .transform(splitList)
  .refine((ranges) => ranges.every((range) => ipaddr.isValidCIDR(range)), {
    message: 'must be CIDR ranges separated by commas, such as 10.1.0.0/16,fd00::/8',
  })

const proxyList = z
  .string()
  .transform(splitList)
  .refine((proxies) => proxies.every(isProxy), {
    message:
      'must be IP addresses, CIDR ranges, `loopback`, `linklocal` or `uniquelocal`, separated by commas',
  })

/**
 * Every environment variable the service reads. Defaults are written as an operator would write them,
 * so that the table in docs/configuration.md shows them as they are.
 */
export const environmentSchema = z
  .object({
    ENV_FILE: z
      .string()
      .default(DEFAULT_ENVIRONMENT_FILE)
      .describe(
        'File with further variables, one `NAME=value` a line; read again on a reload, so that models can be swapped in it.',
      ),
    HOST: z.string().min(1).default('127.0.0.1').describe('Address to listen on.'),
    PORT: port.default(8080).describe('Port of the API; 0 takes a free one.'),
    PUBLIC_URL: z
      .url({ protocol: /^https?$/ })
      .refine((value) => URL.canParse(value) && new URL(value).pathname === '/', {
        message: 'must be an address without a path, such as https://profiles.example.com',
      })
      .optional()
      .describe(
        'Address under which people reach the service, for the links it gives out. Unset: as requests say, HOST and PORT on the terminal.',
      ),
    TRUST_PROXY: proxyList
      .default([])
      .describe(
        'Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed: addresses, CIDR ranges, `loopback`, or `uniquelocal` for those of a container network. Empty: none.',
      ),
    OIDC_ISSUER: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe(
        'OpenID Connect provider for signing in to the portal; the service calls it. Unset: passwords only.',
      ),
    OIDC_CLIENT_ID: z.string().min(1).optional().describe('Client id at that provider.'),
    OIDC_CLIENT_SECRET: z
      .string()
      .min(1)
      .optional()
      .describe('Client secret at that provider. Unset: a public client, by PKCE alone.'),
    OIDC_LABEL: z
      .string()
      .min(1)
      .max(40)
      .default('single sign-on')
      .describe('What the button says: “Continue with …”.'),
    OIDC_EMAIL_DOMAINS: z
      .string()
      .transform((value) => splitList(value.toLowerCase()))
      .default([])
      .describe(
        'Domains of e-mail addresses that may use it, separated by commas. Empty: all, but only with an invitation.',
      ),
    METRICS_PORT: port
      .optional()
      .describe(
        'Port for Prometheus metrics on HOST, without authentication. Unset: no separate port.',
      ),
    METRICS_TOKEN: z
      .string()
      .min(16)
      .optional()
      .describe(
        'Serves `/metrics` on PORT to requests with this bearer token (16 characters or more).',
      ),
    DATA_DIR: z
      .string()
      .min(1)
      .default('./data')
      .describe('Folder of the database and the server secret.'),
    PLANS_FILE: z
      .string()
      .min(1)
      .optional()
      .describe('JSON file of the plans. Unset: `plans.json` in DATA_DIR, created with defaults.'),
    MODELS_DIR: z.string().min(1).default('./models').describe('Folder of the model packs.'),
    CLIP_PACK: packName.default('clip-lite').describe('Pack that embeds photos and captions.'),
    LLM_PACK: packName.default('smollm2-135m-openers').describe('Pack of the language model.'),
    PHOTO_SAFETY_PACK: packName.default('open-nsfw').describe('Pack that scores photo safety.'),
    BIO_SAFETY_PACK: packName
      .default('bio-safety-e5-small')
      .describe('Pack that tells unsafe bios from harmless ones.'),
    MATCH_PACK: packName
      .default('match-minilm')
      .describe('Pack that says how well two profiles match.'),
    MODELS_OFFLINE: flag
      .default(false)
      .describe('`true`: never download a model file, fail instead.'),
    HF_ENDPOINT: z
      .url({ protocol: /^https?$/ })
      .default('https://huggingface.co')
      .describe('Hugging Face hub, or a mirror of it, that model files are pulled from.'),
    HF_TOKEN: z
      .string()
      .regex(/^[\x21-\x7e]+$/, 'must be printable characters without spaces')
      .optional()
      .describe('Access token for gated or private models; sent to HF_ENDPOINT only.'),
    LOG_LEVEL: z
      .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
      .default('info')
      .describe('Least severe level that is logged.'),
    LOG_FORMAT: z
      .enum(['auto', 'json', 'pretty'])
      .default('auto')
      .describe('`auto` is `pretty` on a terminal and `json` elsewhere.'),
    DEVICE: z
      .enum(['auto', 'cpu', 'gpu'])
      .default('auto')
      .describe('`auto` uses a GPU when there is one; `gpu` refuses to start without one.'),
    VISION_THREADS: count
      .max(256)
      .optional()
      .describe(
        'Threads of the vision worker. Unset: the cores this process may use, by a limit of its container too.',
      ),
    LANGUAGE_THREADS: count
      .max(256)
      .optional()
      .describe('Threads of the language worker. Unset: as for the vision worker.'),
    LANGUAGE_SEQUENCES: count
      .max(64)
      .default(12)
      .describe(
        'Texts the language worker writes at the same time. Openers ask for eight to twenty; each takes memory for a context of its own.',
      ),
    MATCH_CONCURRENCY: count
      .max(1_024)
      .default(8)
      .describe('Matches worked on at the same time. More fill the larger batches of a GPU.'),
    QUEUE_LIMIT: count
      .default(64)
      .describe(
        'Calls of a capability that may wait in a burst before `overloaded`, if none would wait longer than 5 s. Under lasting load as many wait as are worked on.',
      ),
    IDLE_UNLOAD_SECONDS: seconds
      .min(0)
      .default(0)
      .describe(
        'Ends a model worker after this many idle seconds; the next call starts it again. 0: never.',
      ),
    VISION_GPU: gpuList
      .optional()
      .describe('GPUs the vision worker sees, such as `0`, `1,2` or `GPU-8f2e…`. Unset: all.'),
    LANGUAGE_GPU: gpuList
      .optional()
      .describe('GPUs the language worker sees, over which it spreads a model. Unset: all.'),
    WORKER_MEMORY_LIMIT_BYTES: count
      .min(100_000_000)
      .optional()
      .describe(
        'A model worker that holds more resident memory is replaced, without losing a call; for a moment there are two. Unset: no limit.',
      ),
    REQUEST_TIMEOUT_MS: milliseconds
      .min(1_000)
      .default(60_000)
      .describe('A call that takes longer, counted from the end of its upload, is answered 503.'),
    SHUTDOWN_GRACE_MS: milliseconds
      .default(20_000)
      .describe('How long a stop waits for calls in flight.'),
    BODY_LIMIT_BYTES: count
      .default(64 * 1024 * 1024)
      .describe(
        'Largest JSON body. A `data:` photo takes a third more than its file: 64 MiB hold 48 MB of photos.',
      ),
    BODIES_LIMIT_BYTES: count
      .default(256 * 1024 * 1024)
      .describe(
        'Bytes of bodies held at once, until their calls end; beyond it `overloaded`. Memory takes up to three times as much. At least BODY_LIMIT_BYTES.',
      ),
    EVENTS_RETENTION_DAYS: retentionDays.describe(
      'Events that happened longer ago are deleted daily, and end users without later ones; the counts of analytics stay. Unset: kept.',
    ),
    CALLS_RETENTION_DAYS: retentionDays.describe(
      'Records of calls older than this are deleted daily, with their events; events about older calls are refused. Unset: kept.',
    ),
    AUDIT_RETENTION_DAYS: retentionDays.describe(
      'Entries of the audit log older than this are deleted daily. Unset: kept.',
    ),
    USAGE_RETENTION_DAYS: retentionDays.describe(
      'Usage of days and of months that ended longer ago is deleted daily. Unset: kept.',
    ),
    PHOTO_ALLOW_HTTP: flag.default(false).describe('`true`: also fetch `http:` photo URLs.'),
    PHOTO_ALLOW_CIDR: cidrList
      .default([])
      .describe('Private ranges photos may be fetched from, separated by commas. Empty: none.'),
    PHOTO_FETCH_TIMEOUT_MS: milliseconds
      .default(8_000)
      .describe('Time for one photo, redirects included.'),
    PHOTO_CACHE_ENTRIES: count
      .default(20_000)
      .describe('Photo analyses kept in memory, keyed by content hash.'),
    PHOTO_CACHE_TTL_SECONDS: seconds
      .min(1)
      .default(86_400)
      .describe('How long a photo analysis is kept.'),
    PHOTO_NSFW_THRESHOLD: z.coerce
      .number()
      .min(0)
      .max(1)
      .default(0.8)
      .describe('Photos scored at or above this probability are refused as `unsafe_content`.'),
  })
  .refine(
    ({ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId }) =>
      (issuer === undefined) === (clientId === undefined),
    {
      path: ['OIDC_ISSUER'],
      message: 'belongs together with OIDC_CLIENT_ID; set both or none',
      // Beside problems of other variables, not only once those are solved.
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

function isProxy(text: string): boolean {
  return (
    ['loopback', 'linklocal', 'uniquelocal'].includes(text) ||
    ipaddr.isValid(text) ||
    ipaddr.isValidCIDR(text)
  )
}
