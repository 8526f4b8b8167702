import fc, { type Arbitrary } from 'fast-check'
import { Finding } from '../finding.js'
import { oddText } from '../inputs/odd-text.js'
import { createTarget } from '../run-target.js'
import { exchangeBytes, type WireAnswer } from '../service/exchange-bytes.js'
import { parseError } from '../service/judge-answer.js'

const CEILINGS = { refused: 300, answered: 300 }
const DOCUMENTED = new Set([200, 204, 303, 304, 400, 401, 403, 404, 405, 408, 413, 415, 429, 431])
const PATHS = [
  ['/v1/events', '/v1/match/evaluate', '/v1/nothing', '/', '/healthz', '/readyz', '/metrics'],
  ['/docs', '/openapi.json', '/portal', '/portal/sign-in', '//evil', '/v1/../portal', '*'],
  ['/%', '/%00', '/v1/events?a=b&a[]=1&__proto__[x]=1', 'http://other.invalid/v1/events'],
].flat()
const METHODS = ['GET', 'POST', 'POST', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'TRACE', 'DELETE', 'BREW']

/** The server may wait for a body that these announce. */
const FRAMING = new Set(['Content-Length', 'Transfer-Encoding', 'Expect'])
const PATIENCE_MS = 100

/** Every header that the service or its libraries read, with values that are nearly right. */
const HEADERS: Record<string, readonly string[]> = {
  Authorization: ['Bearer', 'Bearer ', 'bearer x', 'Basic YTpi', 'Bearer sk_test_x', 'Bearer sk_'],
  'Content-Type': ['application/json; charset=utf-16', 'text/plain', 'application/json;;', 'x/x'],
  'Content-Encoding': ['gzip', 'br', 'deflate', 'identity', 'gzip, br', 'zstd', '__proto__'],
  'Content-Length': ['0', '5', '99999999', '-1', '1e3', '0x10', '5, 5', ' 5', '+5'],
  'X-Idempotency-Key': ['x', '00000000-0000-4000-8000-000000000000', 'ffffffff'],
  'X-Partner-End-User-Id': ['a'.repeat(64), 'A'.repeat(64), 'me@example.com', '0'.repeat(63)],
  'X-Service-Synthetic': ['never', 'always', ''],
  'X-Service-Explain': ['true', 'false', '1'],
  Accept: ['text/event-stream', '*/*', 'text/event-stream;q=0', ',,,', 'a/b;q=9'],
  'Accept-Encoding': ['gzip', 'br;q=x', '*'],
  Expect: ['100-continue', '200-ok', ''],
  Host: ['localhost', '', 'a b', 'evil.invalid', '[::1', 'x:99999999', '\u00e9'],
  Origin: ['null', 'http://', 'http://localhost', '::'],
  Cookie: ['portal=x', 'portal', '__Host-portal=y; portal=z', '=', ';;;'],
  'Sec-Fetch-Site': ['same-origin', 'cross-site', 'none'],
  'X-Forwarded-For': ['1.2.3.4', '::1', 'unknown', '1.2.3.4, evil', '999.1.1.1'],
  'X-Forwarded-Proto': ['https', 'javascript', 'http,https'],
  'X-Forwarded-Host': ['evil.invalid'],
  Forwarded: ['for=1.2.3.4;proto=https;host=evil'],
  'Transfer-Encoding': ['chunked', 'identity', 'gzip', 'chunked, chunked', 'xchunked'],
  Connection: ['keep-alive', 'close', 'upgrade', 'Host'],
  Upgrade: ['websocket', 'h2c'],
  'User-Agent': ['Mozilla/5.0', '('.repeat(500)],
  'Last-Event-ID': ['1'],
  Range: ['bytes=0-', 'bytes=-1,0-0,5-'],
  'If-None-Match': ['*', 'W/"x"'],
  'X-HTTP-Method-Override': ['DELETE'],
  traceparent: ['00-x'],
}

/** Header values are bytes: what a text has beyond them is cut down to one byte. */
const oddBytes = oddText(400).map((text) =>
  text
    .replace(/[\r\n\0]/g, ' ')
    .replace(/[^\0-\xff]/g, (one) => String.fromCharCode(one.charCodeAt(0) & 0xff || 0x20)),
)

const header: Arbitrary<[string, string]> = fc
  .constantFrom(...Object.keys(HEADERS))
  .chain((name) =>
    fc.tuple(
      fc.constant(name),
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom(...HEADERS[name]!) },
        { weight: 1, arbitrary: oddBytes },
        { weight: 1, arbitrary: fc.nat(30_000).map((length) => 'a'.repeat(length)) },
      ),
    ),
  )

interface HeaderInput {
  method: string
  path: string
  authorized: boolean
  headers: [string, string][]
  body: string
}

/** Requests whose headers lie, repeat, or are too large, written byte by byte. */
export const headers = createTarget<HeaderInput>('headers', async (resources) => {
  const { port, apiKey, readCpuMs } = await resources.service()
  return {
    inputs: fc.record({
      method: fc.constantFrom(...METHODS),
      path: fc.oneof(
        fc.constantFrom(...PATHS),
        fc.nat(20_000).map((length) => `/${'a'.repeat(length)}`),
      ),
      authorized: fc.boolean(),
      headers: fc.array(header, { maxLength: 12, size: 'max' }),
      body: fc.constantFrom('', '[]', '{"a":1}', '5\r\n[]   \r\n0\r\n\r\n'),
    }),
    ceilings: CEILINGS,
    readCpuMs,
    attempt: async (input) => {
      const bytes = Buffer.from(writeRequest(input, apiKey), 'latin1')
      const mayWait = input.headers.some(([name]) => FRAMING.has(name))
      const [answer] = await exchangeBytes(port, bytes, {
        expected: 1,
        withoutBodies: input.method === 'HEAD',
        ...(mayWait && { patienceMs: PATIENCE_MS }),
      })
      if (answer === undefined) return 'refused'
      judgeWireAnswer(answer, input)
      return answer.status < 400 ? 'answered' : 'refused'
    },
    describe: (input) => writeRequest(input, '<key>'),
  }
})

function writeRequest({ method, path, authorized, headers, body }: HeaderInput, apiKey: string) {
  const has = (name: string) => headers.some(([one]) => one === name)
  const needed = [
    ...(has('Host') ? [] : [['Host', 'localhost']]),
    ...(authorized && !has('Authorization') ? [['Authorization', `Bearer ${apiKey}`]] : []),
    ...(has('Content-Type') ? [] : [['Content-Type', 'application/json']]),
    ...(has('Content-Length') || has('Transfer-Encoding')
      ? []
      : [['Content-Length', String(body.length)]]),
    ...(has('Connection') ? [] : [['Connection', 'close']]),
  ]
  const lines = [...needed, ...headers].map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** @throws Finding */
function judgeWireAnswer({ status, headers, body }: WireAnswer, { method }: HeaderInput): void {
  if (!DOCUMENTED.has(status)) throw new Finding(`the undocumented status ${status}`)
  if (status < 400 || method === 'HEAD') return
  const isPage = (headers['content-type'] ?? '').startsWith('text/html')
  if (!isPage) parseError(status, body)
}
