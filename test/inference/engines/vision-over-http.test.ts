import type http from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeFrame, encodeFrame } from '../../../src/inference/engines/worker/frame.js'
import {
  createRemoteVision,
  type RemoteVision,
} from '../../../src/inference/engines/worker/remote-vision.js'
import {
  createVisionServer,
  type VisionServerOptions,
} from '../../../src/inference/engines/worker/serve-vision.js'
import type { VisionMethods } from '../../../src/inference/encoder/vision.js'
import { NOT_ISOLATED } from '../../../src/inference/workers/isolation/worker-isolation.js'
import { WorkerCallError } from '../../../src/inference/workers/worker-process.js'
import { createRecordingLog, patientCall, until } from '../workers/_fixture-host.js'

const KEY = 'a-key-for-the-workers'
const REVISION = 'clip@1+nsfw@2+bios@3+match@4'
const TIMES = { checkMs: 20, retryMs: 20, maxRetryMs: 40 }

type Call = VisionServerOptions['host']['call']

/** A worker whose models are arithmetic. */
function fakeHost() {
  const seen = { revision: REVISION, calls: 0, signal: undefined as AbortSignal | undefined }
  let behaviour: 'answer' | 'hang' | 'fail' | 'refuse' = 'answer'
  const call = (async (_method: keyof VisionMethods, request: never, { signal }) => {
    seen.calls += 1
    seen.signal = signal
    if (behaviour === 'fail') throw new WorkerCallError('failed', 'a secret text')
    if (behaviour === 'refuse') throw new WorkerCallError('invalid_input', 'The text is too odd.')
    if (behaviour === 'hang') {
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
    }
    return answer(request)
  }) as Call
  return {
    seen,
    behave: (next: typeof behaviour) => {
      behaviour = next
    },
    host: {
      call,
      state: () => 'ready' as const,
      load: () => ({ running: 3, waiting: 5 }),
      info: () => ({
        packs: ['clip', 'nsfw', 'bios', 'match'],
        device: 'cpu',
        threads: 2,
        properties: { revision: seen.revision, logitScale: 22 },
        isolation: NOT_ISOLATED,
      }),
    },
  }
}

function answer(request: VisionMethods[keyof VisionMethods]['request']) {
  const categories = {
    shared_hobbies: 1,
    lifestyle_fit: 2,
    similar_goals: 3,
    complementary_traits: 4,
    aesthetic_alignment: 5,
  }
  if ('photos' in request) {
    return request.photos.map((photo) =>
      photo[0] === 0
        ? { ok: false, reason: 'damaged or cut off' }
        : { ok: true, analysis: { embedding: Float32Array.of(photo.length, 0.5), nsfw: 0.25 } },
    )
  }
  if ('texts' in request) return request.texts.map((text) => Float32Array.of(text.length, -1))
  if ('pairs' in request) {
    return request.pairs.map(([left]) => ({ compatibility: left.length, categories }))
  }
  return { verdict: 'unsafe', risks: ['threat'] }
}

describe('vision models on other machines', () => {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  })

  async function startServer(options: Partial<VisionServerOptions> = {}, port = 0) {
    const fake = fakeHost()
    const log = createRecordingLog()
    const server: http.Server = createVisionServer({
      host: fake.host,
      apiKey: KEY,
      bodiesLimitBytes: 4_000,
      requestTimeoutMs: 5_000,
      log,
      ...options,
    })
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    const stop = () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    closers.push(stop)
    const { port: taken } = server.address() as AddressInfo
    return { ...fake, log, stop, port: taken, url: `http://127.0.0.1:${taken}` }
  }

  async function connect(urls: string[], apiKey = KEY) {
    const log = createRecordingLog()
    const revision = { clip: '1' }
    const remote: RemoteVision = createRemoteVision({
      urls,
      apiKey,
      concurrency: 4,
      // Only what a client reads of a pack.
      packs: async () =>
        ({
          clip: { name: 'clip', revision: revision.clip, clip: { logitScale: 22 } },
          photoSafety: { name: 'nsfw', revision: '2' },
          bioSafety: { name: 'bios', revision: '3' },
          match: { name: 'match', revision: '4' },
        }) as never,
      log,
      times: TIMES,
    })
    closers.push(() => remote.close())
    return { remote, log, revision }
  }

  it('gives every method its request and returns its result', async () => {
    const server = await startServer()
    const { remote } = await connect([server.url])
    await remote.start()
    expect(remote.info()?.properties).toEqual({ revision: REVISION, logitScale: 22 })
    const photos = [Uint8Array.of(1, 2, 3), Uint8Array.of(0), new Uint8Array(10).fill(7)]
    expect(await remote.call('analyzePhotos', { photos }, patientCall())).toEqual([
      { ok: true, analysis: { embedding: Float32Array.of(3, 0.5), nsfw: 0.25 } },
      { ok: false, reason: 'damaged or cut off' },
      { ok: true, analysis: { embedding: Float32Array.of(10, 0.5), nsfw: 0.25 } },
    ])
    expect(await remote.call('embedTexts', { texts: ['äb', ''] }, patientCall())).toEqual([
      Float32Array.of(2, -1),
      Float32Array.of(0, -1),
    ])
    expect(await remote.call('classifyBio', { readings: [['a', 'b']] }, patientCall())).toEqual({
      verdict: 'unsafe',
      risks: ['threat'],
    })
    const scores = await remote.call('scorePairs', { pairs: [['abc', 'd']] }, patientCall())
    expect(scores).toMatchObject([{ compatibility: 3, categories: { shared_hobbies: 1 } }])
  })

  it('serves nobody without the key, and tells anyone whether it is ready', async () => {
    const server = await startServer()
    for (const authorization of ['', 'Bearer wrong', KEY]) {
      const response = await fetch(`${server.url}/v1/models`, { headers: { authorization } })
      expect(response.status).toBe(401)
      expect(await response.json()).toEqual({
        error: 'invalid_api_key',
        message: expect.any(String),
        request_id: expect.any(String),
      })
    }
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200)
    const ready = await fetch(`${server.url}/readyz`)
    expect([ready.status, ready.headers.get('x-model-revision')]).toEqual([200, REVISION])
    expect(server.seen.calls).toBe(0)
    const { remote } = await connect([server.url], 'another-key-altogether')
    await expect(remote.start()).rejects.toThrow('VISION_API_KEY_FILE')
    expect(remote.state()).toBe('failed')
  })

  it.each<[string, Uint8Array[], number]>([
    ['nothing', [], 415],
    ['a cut frame', [Uint8Array.of(200, 0, 0, 0, 1)], 415],
    ['a length beyond the frame', [Uint8Array.of(255, 255, 255, 255)], 415],
    ['no JSON', [Uint8Array.of(1, 0, 0, 0, 120)], 415],
    ['another request', encodeFrame({ texts: ['a'] }), 415],
    ['photos that are not there', encodeFrame({ lengths: [5] }), 415],
    ['bytes that nobody asked for', encodeFrame({ lengths: [1] }, [new Uint8Array(2)]), 415],
    ['negative lengths', encodeFrame({ lengths: [-1, 3] }, [new Uint8Array(2)]), 415],
    ['too much', encodeFrame({ lengths: [3_000] }, [new Uint8Array(3_000)]), 413],
  ])('refuses %s', async (_, parts, status) => {
    const server = await startServer()
    const response = await fetch(`${server.url}/v1/analyzePhotos`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}` },
      body: new Uint8Array(Buffer.concat(parts)),
    })
    expect(response.status).toBe(status)
    expect(server.seen.calls).toBe(0)
  })

  it('gives back the room of requests that are over', async () => {
    const server = await startServer()
    const { remote } = await connect([server.url])
    await remote.start()
    for (let i = 0; i < 10; i++) {
      await remote.call('analyzePhotos', { photos: [new Uint8Array(1_500)] }, patientCall())
    }
    expect(server.seen.calls).toBe(10)
  })

  it('aborts the call of a client that has left', async () => {
    const server = await startServer()
    const { remote } = await connect([server.url])
    await remote.start()
    server.behave('hang')
    const controller = new AbortController()
    const call = remote.call(
      'embedTexts',
      { texts: ['a'] },
      patientCall({ signal: controller.signal }),
    )
    await until(() => server.seen.signal !== undefined)
    controller.abort()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    await until(() => server.seen.signal!.aborted)
  })

  it('repeats what the worker says of a bad request, and nothing of its failures', async () => {
    const server = await startServer()
    const { remote, log } = await connect([server.url])
    await remote.start()
    server.behave('refuse')
    await expect(remote.call('embedTexts', { texts: ['a'] }, patientCall())).rejects.toMatchObject({
      reason: 'invalid_input',
      message: 'The text is too odd.',
    })
    server.behave('fail')
    await expect(
      remote.call('embedTexts', { texts: ['private'] }, patientCall()),
    ).rejects.toMatchObject({ code: 'model_unavailable' })
    expect(log.text() + server.log.text()).not.toMatch(/secret|private|a-key-for/)
  })

  it('asks another worker when one fails, and loses no call when one goes away', async () => {
    const [first, second] = [await startServer(), await startServer()]
    const { remote } = await connect([first.url, second.url])
    await remote.start()
    await until(() => remote.serving().count === 2)
    first.behave('fail')
    const call = () => remote.call('embedTexts', { texts: ['a'] }, patientCall())
    await Promise.all(Array.from({ length: 20 }, call))
    await first.stop()
    await Promise.all(Array.from({ length: 20 }, call))
    expect(second.seen.calls).toBeGreaterThanOrEqual(40)
  })

  /** Takes all bytes of a worker with requests that it does not answer. */
  async function fill({ url, seen, behave }: Awaited<ReturnType<typeof startServer>>) {
    behave('hang')
    const leaving = new AbortController()
    closers.push(() => leaving.abort())
    const headers = { authorization: `Bearer ${KEY}` }
    const body = new Uint8Array(Buffer.concat(encodeFrame({ texts: ['a'] })))
    for (const filled of [1, 2, 3]) {
      const { signal } = leaving
      void fetch(`${url}/v1/embedTexts`, { method: 'POST', headers, body, signal }).catch(() => {})
      await until(() => seen.calls === filled)
    }
  }

  it('asks another worker when one has no room, and keeps both', async () => {
    const [full, other] = [await startServer({ bodiesLimitBytes: 60 }), await startServer()]
    const { remote, log } = await connect([full.url, other.url])
    await remote.start()
    await until(() => remote.serving().count === 2)
    await fill(full)
    for (let i = 0; i < 40; i++) {
      await remote.call('embedTexts', { texts: ['a'] }, patientCall())
    }
    expect([full.seen.calls, other.seen.calls]).toEqual([3, 40])
    expect(log.text()).not.toContain('out of service')
  })

  it('answers overloaded when no worker has room', async () => {
    const full = await startServer({ bodiesLimitBytes: 60 })
    const { remote } = await connect([full.url])
    await remote.start()
    await fill(full)
    for (let i = 0; i < 4; i++) {
      await expect(
        remote.call('embedTexts', { texts: ['a'] }, patientCall()),
      ).rejects.toMatchObject({ code: 'overloaded' })
    }
    expect(remote.state()).toBe('ready')
  })

  it('refuses calls while no worker is there, and serves when one is back', async () => {
    const server = await startServer()
    const { remote } = await connect([server.url])
    await remote.start()
    await server.stop()
    await until(() => remote.state() === 'restarting')
    expect(remote.problem()).toContain('cannot be reached')
    await expect(remote.call('embedTexts', { texts: ['a'] }, patientCall())).rejects.toMatchObject({
      code: 'model_unavailable',
      retryAfterSeconds: 2,
    })
    await startServer({}, server.port)
    await until(() => remote.state() === 'ready')
    await remote.call('embedTexts', { texts: ['a'] }, patientCall())
  })

  it('comes up by itself when the workers come later', async () => {
    const server = await startServer()
    await server.stop()
    const { remote } = await connect([server.url])
    await expect(remote.start()).rejects.toThrow('cannot be reached')
    await startServer({}, server.port)
    await until(() => remote.state() === 'ready')
  })

  it('takes no answer of other models', async () => {
    const server = await startServer()
    const { remote } = await connect([server.url])
    await remote.start()
    server.seen.revision = 'clip@9+nsfw@2+bios@3+match@4'
    await expect(remote.call('embedTexts', { texts: ['a'] }, patientCall())).rejects.toMatchObject({
      code: 'model_unavailable',
    })
    await until(() => remote.problem()?.includes('other models') === true)
    server.seen.revision = REVISION
    await until(() => remote.state() === 'ready')
  })

  it('follows new packs once a worker has them, and keeps the old ones until then', async () => {
    const server = await startServer()
    const { remote, revision } = await connect([server.url])
    await remote.start()
    revision.clip = '5'
    await expect(remote.swap()).rejects.toThrow('other models')
    expect(remote.info()?.properties.revision).toBe(REVISION)
    await remote.call('embedTexts', { texts: ['a'] }, patientCall())
    server.seen.revision = 'clip@5+nsfw@2+bios@3+match@4'
    await remote.swap()
    expect(remote.info()?.properties.revision).toBe('clip@5+nsfw@2+bios@3+match@4')
    await remote.call('embedTexts', { texts: ['a'] }, patientCall())
  })
})

describe('a frame', () => {
  it('holds JSON and bytes', () => {
    const frame = Buffer.concat(encodeFrame({ a: 'ä' }, [Uint8Array.of(1), Uint8Array.of(2, 3)]))
    expect(decodeFrame(frame)).toEqual({ json: { a: 'ä' }, bytes: Buffer.of(1, 2, 3) })
  })
})
