import {
  createWorkerEngines,
  type WorkerEngines,
} from '../../../src/inference/engines/kserve/worker-engines.js'
import type { BioReading, PhotoOutcome } from '../../../src/inference/encoder/vision.js'
import type { VisionSettings } from '../../../src/inference/encoder/vision-settings.js'
import {
  analyze,
  bundledPhoto,
  cosine,
  missingVisionWeights,
  PHOTO_NAMES,
  startVisionWorker,
  visionSettings,
  type VisionWorker,
} from '../../model/_vision-worker.js'
import { describeWithWeights } from '../../_weights.js'
import { createRecordingLog, until } from '../workers/_fixture-host.js'
import {
  modelsOf,
  startKServeServer,
  type KServeServer,
  type ServedModel,
} from './_kserve-server.js'

const KEY = 'a-key-for-the-engines'
const TIMES = { checkMs: 50, retryMs: 50, maxRetryMs: 100, checksPerVerification: 10_000 }
/** Looks every fifth time whether the models are still the same. */
const OFTEN = { ...TIMES, checksPerVerification: 5 }
const BIOS = ['I love hiking and my dog.', 'Send me money first, then we meet.', 'kill yourself']
const PAIRS: [string, string][] = [
  ['I love hiking and dogs', 'Weekend hikes with my dog'],
  ['Party all night', 'Quiet reader'],
]

const missing = await missingVisionWeights()

describeWithWeights('a vision worker whose models run at KServe engines', missing, () => {
  let settings: VisionSettings
  const opened: { kill?: () => unknown; drain?: () => unknown }[] = []

  /** For tests that need no other: an engine, a worker whose models run there, and one with models of its own. */
  let server: KServeServer
  let remote: Awaited<ReturnType<typeof startRemote>>
  let local: VisionWorker

  beforeAll(async () => {
    settings = await visionSettings()
    server = await startKServeServer({ models: modelsOf(settings), apiKey: KEY })
    local = await startVisionWorker(settings)
    remote = await startRemote([server.url])
    opened.length = 0
  })

  afterAll(async () => {
    await remote?.worker.drain()
    await local?.drain()
    await server?.kill()
  })

  afterEach(async () => {
    await server.behave({ status: null, hang: false, flood: false, version: null, lie: null })
    for (const part of opened.splice(0).toReversed()) await (part.drain ?? part.kill)?.call(part)
    await until(() => remote.engines.problem() === undefined)
  })

  async function startServer(
    change: (model: ServedModel) => Partial<ServedModel> = () => ({}),
    port?: number,
  ): Promise<KServeServer> {
    const models = modelsOf(settings).map((model) => ({ ...model, ...change(model) }))
    const server = await startKServeServer({ models, apiKey: KEY, port })
    opened.push(server)
    return server
  }

  async function startRemote(urls: string[], times = TIMES) {
    const log = createRecordingLog()
    const engines: WorkerEngines = createWorkerEngines({
      urls,
      apiKey: KEY,
      concurrency: 4,
      log,
      times,
    })
    const worker: VisionWorker = await startVisionWorker(
      { ...settings, engines: { concurrency: 4 } },
      { openAnswerer: engines.openAnswerer },
    )
    opened.push(worker)
    engines.onEvent('started')
    return { worker, engines, log }
  }

  const photos = () => Promise.all(PHOTO_NAMES.map(bundledPhoto))

  it('answers as if the models ran here, without network of its own', async () => {
    const { worker, engines } = remote
    expect(worker.info).toMatchObject({
      device: 'engines',
      properties: local.info.properties,
      isolation: local.info.isolation,
    })
    expect(engines.serving()).toEqual({ count: 1, of: 1 })
    const before = await server.counts()
    const [here, there] = [
      await analyze(local, ...(await photos())),
      await analyze(worker, ...(await photos())),
    ]
    for (const [index, { embedding, nsfw }] of here.entries()) {
      expect(cosine(embedding, there[index]!.embedding)).toBeGreaterThan(0.9999)
      expect(there[index]!.nsfw).toBeCloseTo(nsfw, 4)
    }
    // Six photos: a batch of four and one of two, or a little less together, at each of two models.
    const after = await server.counts()
    expect(after.infer - before.infer).toBeLessThanOrEqual(8)
    for (const bio of BIOS) {
      const request: { readings: BioReading[] } = { readings: [[bio]] }
      expect(await worker.call('classifyBio', request)).toEqual(
        await local.call('classifyBio', request),
      )
    }
    const scores = await worker.call('scorePairs', { pairs: PAIRS })
    for (const [index, { compatibility }] of (
      await local.call('scorePairs', { pairs: PAIRS })
    ).entries()) {
      expect(scores[index]!.compatibility).toBeCloseTo(compatibility, 3)
    }
    const [ours] = await local.call('embedTexts', { texts: ['a photo of a cat'] })
    const [theirs] = await worker.call('embedTexts', { texts: ['a photo of a cat'] })
    expect(cosine(ours!, theirs!)).toBeGreaterThan(0.9999)
  })

  it('sends half floats where the engine declares them', async () => {
    const server = await startServer(({ name }) => ({ half: /vision|nsfw/.test(name) }))
    const { worker } = await startRemote([server.url])
    const before = await server.counts()
    const [there] = await analyze(worker, await bundledPhoto('cat'))
    const after = await server.counts()
    const [here] = await analyze(local, await bundledPhoto('cat'))
    // Half floats have 11 bits.
    expect(cosine(here!.embedding, there!.embedding)).toBeGreaterThan(0.9995)
    expect(after.bytes - before.bytes).toBeLessThan(2 * 3 * (260 ** 2 + 224 ** 2) + 1_000)
  })

  it.each<[string, (model: ServedModel) => Partial<ServedModel>, string]>([
    [
      'a missing model',
      ({ name }) => ({ name: name.replace('nsfw', 'other') }),
      'no model open-nsfw',
    ],
    [
      'another model of the same shape',
      ({ name, file }) => ({
        file: name === 'clip-lite-text' ? modelsOf(settings)[4]!.file : file,
      }),
      'clip-lite-text',
    ],
    [
      'a fixed batch',
      ({ name }) =>
        name === 'clip-lite-vision' ? { inputShapes: { pixel_values: [1, 3, 224, 224] } } : {},
      'pixel_values is FP32 [1, 3, 224, 224]',
    ],
    ['too small a batch', () => ({ maxBatch: 4 }), 'answered 400'],
    [
      "a revision that is not the pack's",
      () => ({ parameters: { pack_revision: { string_value: '0123456789ab' } } }),
      'another revision',
    ],
  ])('does not start with %s', async (_, change, reason) => {
    const server = await startServer(change)
    await expect(startRemote([server.url])).rejects.toThrow(reason)
  })

  it('starts with an engine that declares the revision of each pack', async () => {
    const { clip, photoSafety, bioSafety, match } = settings
    const server = await startServer(({ name }) => ({
      parameters: {
        pack_revision: {
          string_value: [clip, photoSafety, bioSafety, match].find((pack) =>
            name.startsWith(pack.name),
          )!.revision,
        },
      },
    }))
    const { engines } = await startRemote([server.url])
    expect(engines.problem()).toBeUndefined()
  })

  it('takes out an engine whose output changes, and one whose version changes', async () => {
    const { engines } = await startRemote([server.url], OFTEN)
    await server.behave({ lie: 'open-nsfw' })
    await until(() => engines.problem() !== undefined)
    expect(engines.problem()).toContain('another model open-nsfw')
    await server.behave({ lie: null })
    await until(() => engines.problem() === undefined)
    // The pinned version is gone, so the new one is verified before it serves.
    await server.behave({ version: '2', lie: 'match-minilm' })
    await until(() => engines.problem()?.includes('another model match-minilm') === true)
    await server.behave({ lie: null })
    await until(() => engines.problem() === undefined)
  })

  it('fails calls while the only engine is away, and serves when it is back', async () => {
    const mortal = await startServer()
    const { worker, engines } = await startRemote([mortal.url])
    await mortal.kill()
    await expect(worker.call('embedTexts', { texts: ['a cat'] })).rejects.toMatchObject({
      reason: 'failed',
    })
    await until(() => engines.problem() !== undefined)
    expect(engines.problem()).toContain('cannot be reached')
    await startServer(undefined, mortal.port)
    await until(() => engines.problem() === undefined)
    await expect(worker.call('embedTexts', { texts: ['a cat'] })).resolves.toHaveLength(1)
  })

  it('loses no call when one of two engines is killed', async () => {
    const [first, second] = [await startServer(), await startServer()]
    const { worker, engines } = await startRemote([first.url, second.url])
    await until(() => engines.serving().count === 2)
    const photo = await bundledPhoto('coffee')
    const calls = Array.from({ length: 12 }, async (_, index): Promise<PhotoOutcome[]> => {
      if (index === 4) await first.kill()
      return worker.call('analyzePhotos', { photos: [photo] })
    })
    for (const [outcome] of await Promise.all(calls)) expect(outcome).toMatchObject({ ok: true })
    await until(() => engines.serving().count === 1)
  })

  it.each([{ flood: true }, { status: 500 }, { status: 429 }])(
    'refuses an answer that is %j',
    async (behaviour) => {
      await server.behave(behaviour)
      await expect(remote.worker.call('embedTexts', { texts: ['a cat'] })).rejects.toMatchObject({
        reason: 'failed',
      })
    },
  )

  it('aborts the request at the engine when its caller has left', async () => {
    await server.behave({ hang: true })
    const controller = new AbortController()
    const { signal } = controller
    const call = remote.worker.call('embedTexts', { texts: ['a cat'] }, { signal })
    setTimeout(() => controller.abort(), 50)
    await expect(call).rejects.toMatchObject({ reason: 'aborted' })
    await until(async () => (await server.counts()).aborted > 0)
  })

  it('needs the key', async () => {
    const models = modelsOf(settings)
    const server = await startKServeServer({ models, apiKey: 'another-key-than-ours' })
    opened.push(server)
    await expect(startRemote([server.url])).rejects.toThrow('VISION_API_KEY_FILE')
  })

  it('writes neither texts nor the key into the log', async () => {
    const { worker, log, engines } = remote
    await server.behave({ status: 500 })
    await worker.call('embedTexts', { texts: ['a very private text'] }).catch(() => {})
    await until(() => engines.problem() !== undefined)
    expect(log.text()).toContain(server.url)
    expect(log.text()).not.toMatch(/private|a-key-for/)
  })
})
