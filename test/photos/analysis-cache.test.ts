import { setTimeout as sleep } from 'node:timers/promises'
import { AdmissionQueue } from '../../src/inference/workers/admission-queue.js'
import { createAnalysisCache } from '../../src/photos/analysis-cache.js'
import type { PhotoOutcome, VisionModel } from '../../src/inference/encoder/vision.js'
import { call, createFakeVision } from './_fake-vision.js'

const settings = { cacheEntries: 100, cacheTtlMs: 60_000 }
const photo = (size: number) => ({ bytes: new Uint8Array(size), contentHash: `hash of ${size}` })
const sizesOf = (outcomes: PhotoOutcome[]) =>
  outcomes.map((outcome) => (outcome.ok ? outcome.analysis.embedding[0] : outcome.reason))

describe('kept analyses', () => {
  it('are computed once for each content', async () => {
    const cache = createAnalysisCache(settings)
    const vision = createFakeVision()
    expect(sizesOf(await cache.analyze(vision, [photo(2), photo(4)], call))).toEqual([2, 4])
    expect(sizesOf(await cache.analyze(vision, [photo(4), photo(6), photo(2)], call))).toEqual([
      4, 6, 2,
    ])
    expect(vision.batches.map(({ sizes }) => sizes)).toEqual([[2, 4], [6]])
    expect(cache.stats()).toEqual({ hits: 2, misses: 3, entries: 3 })
  })

  it('are computed once for a photo that comes twice in a call', async () => {
    const cache = createAnalysisCache(settings)
    const vision = createFakeVision()
    expect(sizesOf(await cache.analyze(vision, [photo(2), photo(4), photo(2)], call))).toEqual([
      2, 4, 2,
    ])
    expect(vision.batches.map(({ sizes }) => sizes)).toEqual([[2, 4]])
  })

  it('are not shared with another tenant, to whom the time of its answer would tell that the photo is known', async () => {
    const cache = createAnalysisCache(settings)
    const vision = createFakeVision()
    const other = { ...call, tenant: { id: 'other org live', weight: 1 } }
    await cache.analyze(vision, [photo(2)], call)
    await cache.analyze(vision, [photo(2)], other)
    expect(vision.batches.map(({ call: { tenant } }) => tenant.id)).toEqual([
      call.tenant.id,
      other.tenant.id,
    ])
  })

  it('are not asked of the model when all are known', async () => {
    const cache = createAnalysisCache(settings)
    const vision = createFakeVision()
    await cache.analyze(vision, [photo(2)], call)
    vision.automatic = false
    expect(sizesOf(await cache.analyze(vision, [photo(2)], call))).toEqual([2])
    expect(vision.batches).toHaveLength(1)
  })

  it('are made anew for another revision of the model', async () => {
    const cache = createAnalysisCache(settings)
    const vision = createFakeVision()
    await cache.analyze(vision, [photo(2)], call)
    vision.setRevision('model 2')
    await cache.analyze(vision, [photo(2)], call)
    expect(vision.batches).toHaveLength(2)
  })

  it('are not kept when the model changes while it computes', async () => {
    const cache = createAnalysisCache(settings)
    const vision = createFakeVision({ automatic: false })
    const analysis = cache.analyze(vision, [photo(2)], call)
    vision.setRevision('model 2')
    vision.batches[0]!.answer()
    await analysis
    expect(cache.stats().entries).toBe(0)
  })

  it('hold no photo that could not be decoded', async () => {
    const cache = createAnalysisCache(settings)
    const vision = createFakeVision()
    const outcomes = await cache.analyze(vision, [photo(3), photo(2)], call)
    expect(outcomes.map(({ ok }) => ok)).toEqual([false, true])
    await cache.analyze(vision, [photo(3)], call)
    expect(vision.batches.map(({ sizes }) => sizes)).toEqual([[3, 2], [3]])
    expect(cache.stats().entries).toBe(1)
  })

  it('hold their embedding and not the message it came in', async () => {
    const cache = createAnalysisCache(settings)
    const [outcome] = await cache.analyze(createFakeVision(), [photo(2)], call)
    const embedding = outcome?.ok ? outcome.analysis.embedding : undefined
    expect(embedding?.buffer.byteLength).toBe(embedding?.byteLength)
  })

  it('are bounded in number, the least recently used out first', async () => {
    const cache = createAnalysisCache({ ...settings, cacheEntries: 2 })
    const vision = createFakeVision()
    for (const size of [2, 4, 2, 6, 2]) await cache.analyze(vision, [photo(size)], call)
    expect(cache.stats().entries).toBe(2)
    expect(vision.batches.map(({ sizes }) => sizes)).toEqual([[2], [4], [6]])
  })

  it('are deleted after their time, not only hidden', async () => {
    const cache = createAnalysisCache({ ...settings, cacheTtlMs: 20 })
    await cache.analyze(createFakeVision(), [photo(2)], call)
    expect(cache.stats().entries).toBe(1)
    while (cache.stats().entries > 0) await sleep(5)
  })
})

describe('an analysis that several callers want', () => {
  it('is computed once', async () => {
    const cache = createAnalysisCache(settings)
    const vision = createFakeVision({ automatic: false })
    const first = cache.analyze(vision, [photo(2), photo(4)], call)
    const second = cache.analyze(vision, [photo(4), photo(6)], call)
    expect(vision.batches.map(({ sizes }) => sizes)).toEqual([[2, 4], [6]])
    vision.batches[0]!.answer()
    vision.batches[1]!.answer()
    expect(sizesOf(await first)).toEqual([2, 4])
    expect(sizesOf(await second)).toEqual([4, 6])
  })

  it('survives the leave of the caller who began it', async () => {
    const cache = createAnalysisCache(settings)
    const vision = createFakeVision({ automatic: false })
    const caller = new AbortController()
    const reason = new Error('the client left')
    const first = cache.analyze(vision, [photo(2)], { ...call, signal: caller.signal })
    const second = cache.analyze(vision, [photo(2)], call)
    caller.abort(reason)
    await expect(first).rejects.toBe(reason)
    expect(vision.batches[0]!.call.signal.aborted).toBe(false)
    vision.batches[0]!.answer()
    expect(sizesOf(await second)).toEqual([2])
  })

  it('survives the deadline of the caller who began it', async () => {
    const cache = createAnalysisCache(settings)
    const model = createFakeVision({ automatic: false })
    const queue = new AdmissionQueue({ concurrency: 1, limit: 1 })
    const vision: VisionModel = {
      ...model,
      analyzePhotos: (photos, own) =>
        queue.run(own, (signal) => model.analyzePhotos(photos, { ...own, signal })),
    }
    const hurried = { ...call, signal: AbortSignal.timeout(20), deadline: Date.now() + 20 }
    const first = cache.analyze(vision, [photo(2)], hurried)
    const second = cache.analyze(vision, [photo(2)], call)
    await expect(first).rejects.toMatchObject({ name: 'TimeoutError' })
    await sleep(20)
    model.batches[0]!.answer()
    expect(sizesOf(await second)).toEqual([2])
  })

  it('is aborted when everybody has left, and begun anew by the next', async () => {
    const cache = createAnalysisCache(settings)
    const vision = createFakeVision({ automatic: false })
    const caller = new AbortController()
    const left = [1, 2].map(() =>
      cache.analyze(vision, [photo(2)], { ...call, signal: caller.signal }),
    )
    caller.abort()
    await Promise.allSettled(left)
    expect(vision.batches[0]!.call.signal.aborted).toBe(true)

    const next = cache.analyze(vision, [photo(2)], call)
    vision.batches[1]!.answer()
    expect(sizesOf(await next)).toEqual([2])
  })

  it('is not joined any more once it is being aborted', async () => {
    const cache = createAnalysisCache(settings)
    const vision = createFakeVision({ automatic: false })
    vision.stubborn = true
    const caller = new AbortController()
    const left = cache.analyze(vision, [photo(2)], { ...call, signal: caller.signal })
    caller.abort(new Error('the client left'))
    await expect(left).rejects.toBe(caller.signal.reason)

    const next = cache.analyze(vision, [photo(2)], call)
    expect(vision.batches).toHaveLength(2)
    vision.batches[1]!.answer()
    expect(sizesOf(await next)).toEqual([2])
    vision.batches[0]!.fail(new Error('aborted at last'))
  })

  it('fails for all who wait, and is tried again by the next', async () => {
    const cache = createAnalysisCache(settings)
    const vision = createFakeVision({ automatic: false })
    const waiting = [1, 2].map(() => cache.analyze(vision, [photo(2)], call))
    const failure = new Error('the worker ended')
    vision.batches[0]!.fail(failure)
    for (const outcome of await Promise.allSettled(waiting)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: failure })
    }
    vision.automatic = true
    expect(sizesOf(await cache.analyze(vision, [photo(2)], call))).toEqual([2])
  })

  it('does not begin for a caller who has left', async () => {
    const vision = createFakeVision()
    const signal = AbortSignal.abort(new Error('the client left'))
    const analysis = createAnalysisCache(settings).analyze(vision, [photo(2)], { ...call, signal })
    await expect(analysis).rejects.toBe(signal.reason)
    expect(vision.batches).toHaveLength(0)
  })
})
