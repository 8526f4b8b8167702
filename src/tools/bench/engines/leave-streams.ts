import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { LlmPack } from '../../../packs/open-pack.js'
import { roundTo } from '../../../text/round-to.js'
import { median } from '../../statistics/quantile.js'
import { createOpenersBody, readExamplePairs } from '../example-calls.js'
import { startService, type ServiceAddress } from '../service/start-service.js'
import { startEngine, type EngineOptions } from './start-engine.js'

const STREAMS = 24
const POLL_MS = 5
const LIMIT_MS = 30_000
/** As many as one call may ask for. */
const OPENERS = 5

export interface LeavingReport {
  /** Streams that were left while llama-server generated for them. */
  streams: number
  /** Slots in use when the client left. */
  medianSlots: number
  /** From the end of the connection until llama-server reports no slot in use. */
  medianMs: number
  slowestMs: number
}

/** Clients of the service leave in the middle of a stream of openers; llama-server is asked when it stops to generate for them. */
export async function leaveStreams(pack: LlmPack, engine: EngineOptions): Promise<LeavingReport> {
  // Threads that wait for each other in busy loops would starve on the cores that the service needs.
  const { url, kill } = await startEngine(pack, { ...engine, threads: 1 })
  const service = await startService({
    LANGUAGE_URL: url,
    LANGUAGE_ENGINE: 'llama-server',
    // Otherwise most openers need no model.
    EXEMPLARS_DIR: 'none',
  })
  try {
    const left: { slots: number; ms: number }[] = []
    for (let call = 0; left.length < STREAMS && call < 4 * STREAMS; call++) {
      const result = await leaveOne(service, url, call)
      if (result) left.push(result)
    }
    if (left.length === 0) throw new Error('No stream was in generation when it was left.')
    const ms = left.map((each) => each.ms)
    return {
      streams: left.length,
      medianSlots: median(left.map(({ slots }) => slots)),
      medianMs: roundTo(median(ms), 0),
      slowestMs: roundTo(Math.max(...ms), 0),
    }
  } finally {
    await service.close()
    await kill()
  }
}

/** @returns undefined if the stream ended, or nothing was in generation, before it could be left */
async function leaveOne(
  service: ServiceAddress,
  engineUrl: string,
  call: number,
): Promise<{ slots: number; ms: number } | undefined> {
  const stream = openStream(service, call)
  const isOpen = await stream.firstEvent
  // Streams are left at different moments.
  await sleep((call % 8) * 20)
  const slots = await countBusySlots(engineUrl)
  if (!isOpen || stream.hasEnded() || slots === 0) {
    stream.leave()
    await untilIdle(engineUrl)
    return undefined
  }
  stream.leave()
  const leftAt = performance.now()
  await untilIdle(engineUrl)
  return { slots, ms: performance.now() - leftAt }
}

async function untilIdle(engineUrl: string): Promise<void> {
  const deadline = performance.now() + LIMIT_MS
  while ((await countBusySlots(engineUrl)) > 0) {
    if (performance.now() > deadline) throw new Error('llama-server keeps generating.')
    await sleep(POLL_MS)
  }
}

const slotList = z.array(z.object({ is_processing: z.boolean() }))

async function countBusySlots(engineUrl: string): Promise<number> {
  const response = await fetch(`${engineUrl}/slots`)
  const slots = slotList.parse(await response.json())
  return slots.filter((slot) => slot.is_processing).length
}

interface OpenerStream {
  /** Whether it brought an opener before it ended. */
  firstEvent: Promise<boolean>
  hasEnded: () => boolean
  /** Closes the connection. */
  leave: () => void
}

function openStream({ baseUrl, apiKey }: ServiceAddress, call: number): OpenerStream {
  const pairs = readExamplePairs()
  const body = JSON.stringify(createOpenersBody(pairs[call % pairs.length]!, { count: OPENERS }))
  let hasEnded = false
  let request!: http.ClientRequest
  const firstEvent = new Promise<boolean>((resolve) => {
    const end = () => {
      hasEnded = true
      resolve(false)
    }
    request = http.request(`${baseUrl}/v1/conversation/openers`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${apiKey}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
        'x-service-synthetic': 'never',
      },
    })
    request.once('error', end)
    request.once('response', (response) => {
      if (response.statusCode !== 200) console.error(`The service answered ${response.statusCode}.`)
      response.once('error', end).once('close', end)
      response.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('event: opener')) resolve(true)
      })
    })
    request.end(body)
  })
  return { firstEvent, hasEnded: () => hasEnded, leave: () => request.destroy() }
}
