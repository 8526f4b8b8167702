import type http from 'node:http'

/** Interval for closing connections that became idle while the server stops. */
const SWEEP_MS = 100

/**
 * Accepts no new connections, finishes the calls in flight, and cuts those that are left after `graceMs`.
 * @returns the number of calls that were cut
 */
export type Drain = (graceMs: number) => Promise<number>

/** Follows the answers of a server from its start, so that it can stop without losing one. */
export function prepareDrain(server: http.Server): Drain {
  const inFlight = new Set<http.ServerResponse>()
  let isDraining = false
  server.prependListener('request', (_request, response: http.ServerResponse) => {
    inFlight.add(response)
    response.once('close', () => inFlight.delete(response))
    if (isDraining) endConnectionWith(response)
  })
  return async (graceMs) => {
    isDraining = true
    for (const response of inFlight) endConnectionWith(response)
    let cut = 0
    const end = setTimeout(() => {
      cut = inFlight.size
      server.closeAllConnections()
    }, graceMs)
    // The connection of a stream that began before becomes idle when it ends, and would otherwise stay open.
    const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
    await new Promise<void>((resolve) => server.close(() => resolve()))
    clearInterval(sweep)
    clearTimeout(end)
    return cut
  }
}

/** A client that sends one request after the other would never let its connection become idle. */
function endConnectionWith(response: http.ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close')
}
