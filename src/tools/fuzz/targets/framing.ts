import net from 'node:net'
import fc from 'fast-check'
import { Finding } from '../finding.js'
import { fraction } from '../inputs/mutate-bytes.js'
import { createTarget } from '../run-target.js'
import { exchangeBytes } from '../service/exchange-bytes.js'

const CEILINGS = { refused: 300, answered: 300 }
/** Time in which a smuggled request would be answered. */
const QUIET_MS = 40
const UNFINISHED = 50
const SMUGGLED = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'

/** Two readers disagree about where such a request ends, so only a refusal is safe (RFC 9112, sections 6.1 and 6.3). */
const AMBIGUOUS = [
  'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n',
  'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n',
  'Content-Length: 5\r\nContent-Length: 6\r\n',
  'Content-Length: 5, 6\r\n',
  'Content-Length: +5\r\n',
  'Content-Length: 0x5\r\n',
  'Content-Length: -1\r\n',
  'Content-Length: 5 5\r\n',
  'Content-Length : 5\r\n',
  'Content-Length: 99999999999999999999999\r\n',
  'Transfer-Encoding: chunked, identity\r\n',
  'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n',
  'Transfer-Encoding: xchunked\r\n',
  'Transfer-Encoding : chunked\r\n',
  'Transfer-Encoding:\u000bchunked\r\n',
  'X: y\nTransfer-Encoding: chunked\r\n',
  ' X: folded\r\nContent-Length: 5\r\n',
  'X: y\r\n folded: z\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n',
  'X\0: y\r\n',
  'X: \0\r\n',
]
/** Bodies in chunks that are not well formed. */
const BAD_CHUNKS = [
  '5\n',
  '-5\r\n',
  '0x5\r\n',
  'g\r\n',
  '5 5\r\n',
  'ffffffffffffffffff\r\n',
  '\r\n',
  '+5\r\n',
]

type FramingInput =
  | { kind: 'ambiguous'; method: string; framing: string; body: string }
  | { kind: 'chunk'; size: string; body: string }
  | { kind: 'pipeline'; count: number; chunked: boolean[]; body: string; pauses: number[] }

const body = fc.constantFrom(
  `0\r\n\r\n${SMUGGLED}`,
  `hello${SMUGGLED}`,
  `5\r\nhello\r\n0\r\n\r\n${SMUGGLED}`,
  SMUGGLED,
)

/** Requests on one connection: what is ambiguous is refused and closed, what is not gets one answer each. */
export const framing = createTarget<FramingInput>('framing', async (resources) => {
  const { port, readCpuMs } = await resources.service()
  const unfinished = openUnfinished(port)
  return {
    inputs: fc.oneof(
      fc.record({
        kind: fc.constant('ambiguous' as const),
        method: fc.constantFrom('POST', 'GET', 'HEAD', 'DELETE'),
        framing: fc.constantFrom(...AMBIGUOUS),
        body,
      }),
      fc.record({
        kind: fc.constant('chunk' as const),
        size: fc.constantFrom(...BAD_CHUNKS),
        body,
      }),
      fc.record({
        kind: fc.constant('pipeline' as const),
        count: fc.integer({ min: 1, max: 12 }),
        chunked: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
        body: fc.constantFrom('', '{}', SMUGGLED, '0\r\n\r\n'),
        pauses: fc.array(fraction, { maxLength: 4 }).map((pauses) => pauses.sort((a, b) => a - b)),
      }),
    ),
    ceilings: CEILINGS,
    readCpuMs,
    attempt: async (input) => {
      const bytes = Buffer.from(write(input), 'latin1')
      const isValid = input.kind === 'pipeline'
      const expected = isValid ? input.count : 1
      const answers = await exchangeBytes(port, bytes, {
        expected,
        withoutBodies: input.kind === 'ambiguous' && input.method === 'HEAD',
        quietMs: QUIET_MS,
        ...(input.kind === 'pipeline' && { pauses: input.pauses }),
      })
      if (answers.length > expected) throw new Finding('a part of a body was read as a request')
      if (isValid && answers.length < expected) throw new Finding('a request got no answer')
      if (!isValid && answers[0] && answers[0].status < 400) {
        throw new Finding(`an ambiguous request was answered with ${answers[0].status}`)
      }
      return isValid ? 'answered' : 'refused'
    },
    describe: (input) => JSON.stringify(write(input)),
    close: async () => {
      for (const socket of unfinished) socket.destroy()
    },
  }
})

/** Connections that never finish the headers of their request; they must cost the others nothing. */
function openUnfinished(port: number): net.Socket[] {
  return Array.from({ length: UNFINISHED }, () => {
    const socket = net.connect(port, '127.0.0.1', () =>
      socket.write('POST /v1/events HTTP/1.1\r\nX-'),
    )
    socket.on('error', () => {})
    return socket
  })
}

function write(input: FramingInput): string {
  switch (input.kind) {
    case 'ambiguous':
      return `${input.method} /v1/events HTTP/1.1\r\nHost: x\r\n${input.framing}\r\n${input.body}`
    case 'chunk':
      return `POST /v1/events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${input.size}${input.body}`
    case 'pipeline':
      return input.chunked
        .slice(0, input.count)
        .map((chunked) => writeValid(input.body, chunked))
        .join('')
  }
}

/** Without a key, so that the body is never read by the service itself. */
function writeValid(body: string, chunked: boolean): string {
  const head = 'POST /v1/events HTTP/1.1\r\nHost: x\r\n'
  if (!chunked) return `${head}Content-Length: ${body.length}\r\n\r\n${body}`
  const chunk = body === '' ? '' : `${body.length.toString(16)}\r\n${body}\r\n`
  return `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`
}
