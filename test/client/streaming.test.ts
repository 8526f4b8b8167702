import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals'
import {
  ConnectionError,
  createProfileClient,
  type OpenersRequest,
  type OpenerStreamEvent,
} from '../../client/src/index.js'
import { createFakeModels, type FakeBehaviour } from '../http/_fake-models.js'
import { dataUrl, startService } from '../http/_service.js'
import { startFaultyProxy, type Fault } from './_faulty-proxy.js'

describe('streamed openers of the client', () => {
  const closers: (() => Promise<void>)[] = []
  let body: OpenersRequest
  beforeAll(async () => {
    body = {
      sender: { id: 's', name: 'Sam' },
      recipient: {
        id: 'r',
        photos: [await dataUrl()],
        bio: 'Potter with a kiln. My cat steals the sourdough.',
      },
    }
  })
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close()
  })

  async function startScene(faults: Fault[] = [], behaviour: FakeBehaviour = {}) {
    const service = await startService({ models: await createFakeModels(behaviour) })
    closers.push(() => service.close())
    const proxy = await startFaultyProxy(service.baseUrl, faults)
    closers.push(() => proxy.close())
    const responses: Response[] = []
    const client = createProfileClient({
      baseUrl: proxy.baseUrl,
      apiKey: service.apiKey,
      onResponse: (response) => responses.push(response),
      sleep: async () => {},
    })
    return { client, proxy, responses, service }
  }

  it('come one by one and end with the whole answer', async () => {
    const { client } = await startScene()
    const events = await collect(client.streamOpeners(body))
    const done = events.at(-1)
    if (done?.event !== 'done') throw new Error('The last event is not done.')
    expect(done.data.openers).toHaveLength(3)
    const told = events.flatMap((one) => (one.event === 'opener' ? [one.data] : []))
    expect(told.map(({ text, style, length }) => ({ text, style, length }))).toEqual(
      done.data.openers,
    )
    for (const opener of told) {
      const pieces = events.flatMap((one) =>
        one.event === 'opener.delta' && one.data.index === opener.index ? [one.data.text] : [],
      )
      expect(pieces.join('')).toBe(opener.text)
    }
  })

  it('come from the stored answer when the key is used again', async () => {
    const { client, responses } = await startScene()
    const call = { idempotencyKey: crypto.randomUUID() }
    const first = await collect(client.streamOpeners(body, call))
    const second = await collect(client.streamOpeners(body, call))
    expect(second).toEqual(first)
    expect(responses[1]?.headers.get('idempotent-replayed')).toBe('true')
  })

  it('are tried again as long as nothing was told', async () => {
    const { client, proxy } = await startScene(['refuse', 'bad gateway'])
    expect((await collect(client.streamOpeners(body))).at(-1)?.event).toBe('done')
    expect(proxy.requests).toHaveLength(3)
  })

  it('throw what the service refuses before it streams', async () => {
    const { client } = await startScene()
    const unsafe = { ...body, recipient: { ...body.recipient, bio: '' } }
    await expect(collect(client.streamOpeners(unsafe))).rejects.toMatchObject({
      code: 'invalid_recipient',
      status: 400,
    })
  })

  it('throw the error that ends the stream, after what was told before it', async () => {
    const { client, proxy } = await startScene([], {
      generations: (_request, callIndex) => {
        if (callIndex > 2) throw new Error('broken')
        return 'You had me at sourdough and the kiln.'
      },
    })
    const told: OpenerStreamEvent[] = []
    await expect(collect(client.streamOpeners(body), told)).rejects.toMatchObject({
      code: 'internal_error',
      status: 200,
      requestId: expect.stringMatching(/^req_/),
    })
    expect(told.map(({ event }) => event)).toEqual(['opener.delta', 'opener'])
    expect(proxy.requests).toHaveLength(1)
  })

  it('throw a connection error when they break off, and tell nothing twice', async () => {
    const { client, proxy } = await startScene(['cut answer'])
    const told: OpenerStreamEvent[] = []
    await expect(collect(client.streamOpeners(body), told)).rejects.toBeInstanceOf(ConnectionError)
    expect(told[0]?.event).toBe('opener.delta')
    expect(proxy.requests).toHaveLength(1)
  })

  it('leave the service when the loop is left', async () => {
    let endWork = () => {}
    const work = new Promise<void>((resolve) => (endWork = resolve))
    const { client, service } = await startScene([], {
      generations: async (_request, callIndex) => {
        if (callIndex > 2) await work
        return 'You had me at sourdough and the kiln.'
      },
    })
    for await (const { event } of client.streamOpeners(body)) {
      expect(event).toBe('opener.delta')
      break
    }
    // 499 stands for a client that has left.
    const { registry } = service.context.metrics
    while (!(await registry.metrics()).includes('status="499"')) await delay(10)
    endWork()
  })

  it('end with the reason of the caller who aborts', async () => {
    const { client } = await startScene()
    const controller = new AbortController()
    const stream = client.streamOpeners(body, { signal: controller.signal })
    await stream.next()
    controller.abort(new Error('enough'))
    await expect(collect(stream)).rejects.toThrow('enough')
  })
})

async function collect(
  stream: AsyncIterable<OpenerStreamEvent>,
  into: OpenerStreamEvent[] = [],
): Promise<OpenerStreamEvent[]> {
  for await (const event of stream) into.push(event)
  return into
}
