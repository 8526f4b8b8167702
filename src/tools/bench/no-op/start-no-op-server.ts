import { fork } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import { randomUUID } from 'node:crypto'
import process from 'node:process'
import type { NoOpServerReady, NoOpServerSettings, NoOpServerUsage } from './no-op-server.js'

const SERVER = new URL('no-op-server.js', import.meta.url)
const BODY = JSON.stringify({ value: 'x'.repeat(500) })

/** A server in a child process whose calls compute nothing. */
export interface NoOpServer extends NoOpServerReady {
  pid: number
  /** Sends a call with an idempotency key of its own; resolves with the milliseconds to the end of its answer. */
  send: (route: '/bare' | '/metered') => Promise<number>
  /** Processor time so far, in microseconds. */
  readCpu: () => Promise<number>
  close: () => Promise<void>
}

/**
 * Starts one; it ends with this process at the latest.
 * @param connections - kept open at most
 * @param nodeOptions - of the child, such as those of a profiler
 */
export async function startNoOpServer(
  settings: NoOpServerSettings,
  connections: number,
  nodeOptions: readonly string[] = [],
): Promise<NoOpServer> {
  const child = fork(SERVER, [JSON.stringify(settings)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    execArgv: [...process.execArgv, ...nodeOptions],
  })
  const ended = once(child, 'exit')
  const nextMessage = async () => ((await once(child, 'message')) as unknown[])[0]
  const { port, apiKey } = (await nextMessage()) as NoOpServerReady
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  return {
    port,
    apiKey,
    pid: child.pid!,
    send: (route) => send({ port, apiKey, agent, route }),
    readCpu: async () => {
      child.send('cpu')
      const { cpu } = (await nextMessage()) as NoOpServerUsage
      return cpu.user + cpu.system
    },
    close: async () => {
      agent.destroy()
      child.disconnect()
      await ended
    },
  }
}

function send({
  port,
  apiKey,
  agent,
  route,
}: NoOpServerReady & { agent: http.Agent; route: string }): Promise<number> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now()
    const request = http.request(
      {
        port,
        agent,
        host: '127.0.0.1',
        path: route,
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(BODY),
          Authorization: `Bearer ${apiKey}`,
          'X-Idempotency-Key': randomUUID(),
        },
      },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`))
        response.resume().once('end', () => resolve(performance.now() - startedAt))
      },
    )
    request.once('error', reject).end(BODY)
  })
}
