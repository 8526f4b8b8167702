import http, { type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerMalformed } from '../http/answer-malformed.js'
import { OperatorError } from '../core/operator-error.js'

/** Time limit for receiving a body; REQUEST_TIMEOUT_MS limits the time from then on. */
const UPLOAD_TIMEOUT_MS = 120_000
/** Time limit for receiving the headers of a request: clients send them at once. */
const HEADERS_TIMEOUT_MS = 20_000
const CONNECTIONS_CHECK_MS = 2_000

/**
 * Longer than the idle timeout of proxies (nginx and AWS 60 s, Google Cloud 600 s): if the service closed an idle
 * connection first, a request that the proxy sends at that moment would be lost.
 * Source: https://cloud.google.com/load-balancing/docs/https#timeout-keepalive-backends
 */
const KEEP_ALIVE_MS = 620_000

export interface Address {
  /** Environment variable that the port is from. */
  variable: 'PORT' | 'METRICS_PORT'
  port: number
  host: string
}

/** @throws OperatorError when the address cannot be used */
export async function listen(
  app: RequestListener | http.Server,
  address: Address,
): Promise<http.Server> {
  const server =
    app instanceof http.Server
      ? app
      : http.createServer({ connectionsCheckingInterval: CONNECTIONS_CHECK_MS }, app)
  answerMalformed(server)
  server.requestTimeout = UPLOAD_TIMEOUT_MS
  server.headersTimeout = HEADERS_TIMEOUT_MS
  server.keepAliveTimeout = KEEP_ALIVE_MS
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(explainFailure(error, address)))
    server.listen(address.port, address.host, resolve)
  })
  return server
}

function explainFailure(error: NodeJS.ErrnoException, { variable, port, host }: Address): Error {
  const action = {
    EADDRINUSE: 'is in use by another program. Stop it (ss -ltnp shows it), or choose another port',
    EACCES: 'cannot be opened by this user. Choose a port of 1024 or higher behind a reverse proxy',
    EADDRNOTAVAIL: 'is no address of this machine. Correct HOST',
    ENOTFOUND: 'is no address of this machine. Correct HOST',
  }[error.code ?? '']
  if (action === undefined) return error
  return new OperatorError(`${variable} ${port} on ${host} ${action}.`, { cause: error })
}

/** URL of a server that listens. */
export function addressOf(server: http.Server): string {
  const { address, port, family } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
