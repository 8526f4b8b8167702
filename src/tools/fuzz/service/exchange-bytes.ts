import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Finding } from '../finding.js'

/** Longer than any answer that needs no model. */
const TIMEOUT_MS = 20_000
/** Long enough for the server to read what has come so far. */
const PAUSE_MS = 2

export interface ExchangeOptions {
  /** Answers to wait for. */
  expected: number
  /** For HEAD, whose answers have the headers of a body and none. */
  withoutBodies?: boolean
  /** How long to wait for more than the expected answers. Default: 0. */
  quietMs?: number
  /** Where a pause divides the bytes, as fractions of their length in ascending order. Default: nowhere. */
  pauses?: readonly number[]
  /** Ends the connection after so long without an answer: the server may rightly wait for more. Default: it may not. */
  patienceMs?: number
}

/** One answer as it came over the wire. */
export interface WireAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/**
 * Sends bytes over a new connection and returns all answers until the server closes it, or until as many have come as are expected
 * and no more follow.
 * @throws Finding when the server neither answers nor closes
 */
export async function exchangeBytes(
  port: number,
  bytes: Buffer,
  { expected, withoutBodies = false, quietMs = 0, pauses = [], patienceMs }: ExchangeOptions,
): Promise<WireAnswer[]> {
  const received = await new Promise<Buffer>((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => void writeSlowly(socket, bytes, pauses))
    let all: Buffer = Buffer.alloc(0)
    let quiet: NodeJS.Timeout | undefined
    const end = () => {
      clearTimeout(quiet)
      clearTimeout(limit)
      socket.destroy()
      resolve(all)
    }
    const limit = setTimeout(() => {
      if (patienceMs !== undefined) return end()
      socket.destroy()
      return reject(new Finding(`neither an answer nor an end within ${TIMEOUT_MS / 1_000} s`))
    }, patienceMs ?? TIMEOUT_MS)
    socket.on('data', (chunk) => {
      all = Buffer.concat([all, chunk])
      clearTimeout(quiet)
      if (parseAnswers(all, withoutBodies).length >= expected) quiet = setTimeout(end, quietMs)
    })
    // A server that refuses early may close while bytes are still being sent.
    socket.on('error', end)
    socket.on('close', end)
  })
  return parseAnswers(received, withoutBodies)
}

async function writeSlowly(
  socket: net.Socket,
  bytes: Buffer,
  pauses: readonly number[],
): Promise<void> {
  const ends = [...pauses.map((fraction) => Math.floor(fraction * bytes.length)), bytes.length]
  socket.setNoDelay(true)
  let start = 0
  for (const end of ends) {
    if (socket.destroyed) return
    socket.write(bytes.subarray(start, end))
    start = end
    if (end < bytes.length) await sleep(PAUSE_MS)
  }
}

/** The complete answers in what was received. */
function parseAnswers(received: Buffer, withoutBodies: boolean): WireAnswer[] {
  const answers: WireAnswer[] = []
  let rest = received.toString('latin1')
  for (;;) {
    const end = rest.indexOf('\r\n\r\n')
    const status = /^HTTP\/1\.1 (\d{3})/.exec(rest)?.[1]
    if (end < 0 || status === undefined) return answers
    const headers = parseHeaders(rest.slice(0, end))
    const length = withoutBodies ? 0 : Number(headers['content-length'] ?? 0)
    rest = rest.slice(end + 4)
    if (rest.length < length) return answers
    const body = Buffer.from(rest.slice(0, length), 'latin1').toString()
    rest = rest.slice(length)
    // 100 and 103 precede an answer and are none.
    if (!status.startsWith('1')) answers.push({ status: Number(status), headers, body })
  }
}

function parseHeaders(head: string): Record<string, string> {
  const lines = head.split('\r\n').slice(1)
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
}
