import { createAnalysisCache } from '../../src/photos/analysis-cache.js'
import { retryOnRevisionChange } from '../../src/inference/once-per-revision.js'
import type { InferenceCall } from '../../src/inference/inference-call.js'
import { createPhotoAnalyzer, type PhotoAnalyzer } from '../../src/photos/analyze-photos.js'
import { createPhotoFetcher } from '../../src/photos/fetch-photo.js'
import type { PhotoReference } from '../../src/photos/photo-reference.js'
import { call, createFakeVision } from './_fake-vision.js'
import { loopback } from './_fetch-failure.js'
import { photoAt } from './_photo-at.js'
import { openPhotoHost, type PhotoHost } from './_photo-host.js'
import { catJpeg, dataUrl, tinyJpeg } from './_sample-photos.js'

const evenJpeg = catJpeg.subarray(0, 1_000)
const oddJpeg = catJpeg.subarray(0, 1_001)
let host: PhotoHost

beforeEach(async () => {
  host = await openPhotoHost((_request, response) => response.end(evenJpeg))
})
afterEach(() => host.close())

function open() {
  const vision = createFakeVision()
  const cache = createAnalysisCache({ cacheEntries: 100, cacheTtlMs: 60_000 })
  const fetcher = createPhotoFetcher(loopback)
  return { vision, cache, analyzer: createPhotoAnalyzer({ vision, cache, fetcher }) }
}

/** Loads and analyses the photos of one field, as a call does. */
async function analyze(
  analyzer: PhotoAnalyzer,
  references: PhotoReference[],
  field: string,
  terms: InferenceCall,
) {
  return analyzer.analyze(await analyzer.load({ [field]: references }, terms), field, terms)
}

describe('analysing the photos of a request', () => {
  it('gives one analysis for each reference, in order', async () => {
    const { analyzer } = open()
    const references = [dataUrl(tinyJpeg(1)), host.url(), dataUrl(tinyJpeg(2))]
    const analyses = await analyze(analyzer, references.map(photoAt), 'user.photos', call)
    const { length } = tinyJpeg(1)
    expect(analyses.map(({ embedding }) => embedding[0])).toEqual([length, 1_000, length])
  })

  it('fetches a photo every time and analyses its content once', async () => {
    const { analyzer, vision } = open()
    await analyze(analyzer, [photoAt(host.url('/a.jpg'))], 'user.photos', call)
    await analyze(analyzer, [photoAt(host.url('/a.jpg'))], 'user.photos', call)
    await analyze(analyzer, [photoAt(dataUrl(evenJpeg))], 'user.photos', call)
    expect(host.requests).toHaveLength(2)
    expect(vision.batches).toHaveLength(1)
  })

  it('refuses a photo that the model cannot decode, by its place', async () => {
    const { analyzer } = open()
    const references = [host.url(), dataUrl(oddJpeg), dataUrl(oddJpeg)]
    const analysis = analyze(analyzer, references.map(photoAt), 'user_b.photos', call)
    await expect(analysis).rejects.toMatchObject({
      code: 'photo_unavailable',
      message: expect.stringContaining('user_b.photos[1]'),
    })
  })

  it('asks nothing of the model when a photo cannot be loaded', async () => {
    const { analyzer, vision } = open()
    const analysis = analyze(
      analyzer,
      [photoAt(host.url()), photoAt('https://10.0.0.1/a.jpg')],
      'user.photos',
      call,
    )
    await expect(analysis).rejects.toMatchObject({ code: 'photo_unavailable' })
    expect(vision.batches).toHaveLength(0)
  })

  it('is repeated by a call whose model is swapped meanwhile', async () => {
    const { analyzer, vision } = open()
    const known = dataUrl(evenJpeg)
    await analyze(analyzer, [photoAt(known)], 'user.photos', call)
    vision.automatic = false
    const references = [known, dataUrl(tinyJpeg(1))].map(photoAt)
    const photos = await analyzer.load({ 'user.photos': references }, call)
    const analysis = retryOnRevisionChange(vision, () =>
      analyzer.analyze(photos, 'user.photos', call),
    )
    while (vision.batches.length < 2) await new Promise((resolve) => setImmediate(resolve))
    vision.setRevision('model 2')
    vision.automatic = true
    vision.batches[1]!.answer()
    await analysis
    expect(vision.batches.at(-1)!.sizes).toEqual([1_000, tinyJpeg(1).length])
  })

  it('passes the priority of the call on', async () => {
    const { analyzer, vision } = open()
    await analyze(analyzer, [photoAt(host.url())], 'user.photos', { ...call, priority: 'batch' })
    expect(vision.batches[0]!.call).toMatchObject({ priority: 'batch' })
  })
})
