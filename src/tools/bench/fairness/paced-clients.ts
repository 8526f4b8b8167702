import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sendCall } from '../load-generator/http-load.js'
import type { ServiceAddress } from '../service/start-service.js'
import type { VictimCall, VictimCallKind } from './victim-calls.js'

/** Time for the last calls after the end of the load. */
const LAST_CALLS_MS = 10_000

export interface ClientCall {
  kind: VictimCallKind
  /** 0 if the connection broke or the answer did not come in time. */
  status: number
  /** From the due time, so that a client that falls behind hides nothing. */
  latencyMs: number
  /** When the answer was complete, in milliseconds since the start of the load. */
  endedMs: number
}

export interface PacedLoad {
  nextCall: () => VictimCall
  clients: number
  /** Of all clients together; infinite: each call follows the answer to the one before. */
  perSecond: number
  seconds: number
}

/**
 * Sends calls from a fixed number of clients. A client's calls are due at even intervals; it waits for an answer before it sends
 * the next call, so a slow service gets fewer calls. Latencies of an infinite rate mean nothing.
 */
export async function runPacedClients(
  service: ServiceAddress,
  { nextCall, clients, perSecond, seconds }: PacedLoad,
): Promise<ClientCall[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: Infinity })
  const startedAt = performance.now()
  const elapsedMs = () => performance.now() - startedAt
  const endsMs = seconds * 1_000
  const signal = AbortSignal.timeout(endsMs + LAST_CALLS_MS)
  const intervalMs = (clients * 1_000) / perSecond
  const calls: ClientCall[] = []
  const runClient = async (client: number) => {
    for (let dueMs = (client * intervalMs) / clients; dueMs < endsMs; dueMs += intervalMs) {
      if (dueMs > elapsedMs()) await sleep(dueMs - elapsedMs())
      if (elapsedMs() >= endsMs) return
      const { kind, route, body } = nextCall()
      const { status } = await sendCall(agent, service, { route, body, signal })
      const endedMs = elapsedMs()
      calls.push({ kind, status, latencyMs: endedMs - dueMs, endedMs })
    }
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)))
  agent.destroy()
  return calls
}
