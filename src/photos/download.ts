import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import got, { type Got, type Request } from 'got'
import { ServiceError } from '../core/service-error.js'
import type { BudgetShare } from '../metering/fair-budget.js'
import { createAddressPolicy } from './address-policy.js'
import {
  AddressRefusedError,
  createGuardedAgents,
  type GuardedAgentOptions,
} from './guarded-agents.js'
import { PHOTO_LIMITS } from './photo-limits.js'
import { PhotoError } from './photo-problem.js'
import { parsePhotoUrl } from './photo-reference.js'

export interface DownloadSettings {
  allowHttp: boolean
  allowedCidrs: readonly string[]
}

export interface DownloadOptions extends GuardedAgentOptions {
  /** PEM certificates to trust in place of Node's. */
  certificateAuthority?: string | undefined
}

/** Fetches the body of a URL and follows redirects. */
export type Download = (url: URL, terms: DownloadTerms) => Promise<Uint8Array>

export interface DownloadTerms {
  signal: AbortSignal
  /** Every byte is charged to it before it is kept. */
  share: BudgetShare
  /** Receives each URL before it is requested. */
  onHop: (url: URL) => void
}

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308])

/**
 * Creates a guarded download. Each redirect is checked like the first URL. The body may have `PHOTO_LIMITS.maxBytes`,
 * regardless of its headers, and is never decompressed.
 *
 * Throws a PhotoError, whose text holds nothing of the URL, and what the share throws.
 */
export function createDownload(
  settings: DownloadSettings,
  { certificateAuthority, ...agentOptions }: DownloadOptions,
): Download {
  const client = got.extend({
    agent: createGuardedAgents(createAddressPolicy(settings.allowedCidrs), agentOptions),
    // got would restart its timeout at each redirect and keep reading the body of the redirect.
    followRedirect: false,
    retry: { limit: 0 },
    throwHttpErrors: false,
    decompress: false,
    headers: {
      'user-agent': 'photo-fetcher',
      accept: 'image/jpeg,image/png,image/webp,image/gif,image/avif;q=0.9',
      'accept-encoding': 'identity',
    },
    https: certificateAuthority === undefined ? {} : { certificateAuthority },
  })
  return async (url, terms) => {
    let hop = url
    for (let redirects = 0; redirects <= PHOTO_LIMITS.maxRedirects; redirects++) {
      terms.onHop(hop)
      const answer = await request(client, hop, terms)
      if (answer.body !== undefined) return answer.body
      hop = nextHop(answer.location, hop, settings.allowHttp)
    }
    throw new PhotoError('too_many_redirects')
  }
}

type Answer = { body: Uint8Array } | { body?: undefined; location: string }

async function request(client: Got, url: URL, { signal, share }: DownloadTerms): Promise<Answer> {
  const stream = client.stream(url, { signal })
  // An abort can fail the stream while nothing else listens, which would end the process.
  stream.on('error', () => {})
  try {
    const [response] = (await once(stream, 'response')) as [IncomingMessage]
    const status = response.statusCode ?? 0
    const { location } = response.headers
    if (REDIRECT_STATUSES.has(status) && location !== undefined) return { location }
    if (status !== 200) throw unreachable(url, `HTTP status ${status}`)
    if (Number(response.headers['content-length']) > PHOTO_LIMITS.maxBytes) {
      throw new PhotoError('too_large')
    }
    return { body: await readBody(stream, share) }
  } catch (error) {
    throw error instanceof ServiceError ? error : toPhotoError(error, url)
  } finally {
    stream.destroy()
  }
}

async function readBody(stream: Request, share: BudgetShare): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > PHOTO_LIMITS.maxBytes) throw new PhotoError('too_large')
    share.add(chunk.length)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

function nextHop(location: string, from: URL, allowHttp: boolean): URL {
  // Node reads headers as Latin-1; servers send URLs in UTF-8.
  const target = Buffer.from(location, 'latin1').toString()
  if (!URL.canParse(target, from.href)) throw new PhotoError('redirect_refused')
  const parsed = parsePhotoUrl(new URL(target, from).href)
  if (parsed.kind !== 'remote') throw new PhotoError('redirect_refused')
  if (parsed.url.protocol === 'http:' && !allowHttp) throw new PhotoError('redirect_refused')
  return parsed.url
}

/** Whether an error about a URL may say what went wrong: on other ports, it would tell a caller which ones are open. */
export function hasDefaultPort(url: URL): boolean {
  return url.port === ''
}

/** Keeps only the code of a network error, such as `ENOTFOUND` or `CERT_HAS_EXPIRED`. */
function toPhotoError(error: unknown, url: URL): PhotoError {
  if (error instanceof PhotoError) return error
  const { cause, code } = error as { cause?: unknown; code?: unknown }
  if (error instanceof AddressRefusedError || cause instanceof AddressRefusedError) {
    return new PhotoError('address_refused')
  }
  const isCode = typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code)
  return unreachable(url, isCode ? code : undefined)
}

function unreachable(url: URL, detail: string | undefined): PhotoError {
  return new PhotoError('unreachable', hasDefaultPort(url) ? detail : undefined)
}
