import sharp from 'sharp'
import type { ImagePreparation } from '../../../src/inference/encoder/image-preparation.js'
import type { Clip } from '../../../src/inference/encoder/open-clip.js'
import type { PhotoSafety } from '../../../src/inference/encoder/open-photo-safety.js'
import type { ImageInput } from '../../../src/inference/encoder/prepare-image.js'
import { createPhotoAnalysis } from '../../../src/inference/encoder/photo-analysis.js'

const signal = new AbortController().signal

/** Models that return the mean of each channel; every CLIP run waits for its gate. */
function createFakeModels() {
  const runs: number[] = []
  const gates: (() => void)[] = []
  let prepared = 0
  const preparation: ImagePreparation = {
    resize: { width: 32, height: 32, fit: 'cover', kernel: 'cubic' },
    crop: { width: 32, height: 32 },
    // Read once per prepared image.
    get layout() {
      prepared++
      return 'nchw' as const
    },
    channelOrder: 'rgb',
    mean: [0, 0, 0],
    scale: [1 / 255, 1 / 255, 1 / 255],
  }
  const clip: Clip = {
    preparation,
    embedPhotos: async (images) => {
      runs.push(images.length)
      await new Promise<void>((resolve) => gates.push(resolve))
      return images.map((image) =>
        Float32Array.from([0, 1, 2], (channel) => meanOf(image, channel)),
      )
    },
    embedTexts: async () => [],
  }
  const safety: PhotoSafety = {
    preparation: Object.create(preparation, { channelOrder: { value: 'bgr' } }) as ImagePreparation,
    score: async (images) => images.map((image) => meanOf(image, 0)),
  }
  return { clip, safety, runs, gates, preparedImages: () => prepared }
}

function meanOf(write: ImageInput, channel: number): number {
  const area = 32 * 32
  const image = new Float32Array(3 * area)
  write(image)
  return image.slice(channel * area, (channel + 1) * area).reduce((sum, v) => sum + v, 0) / area
}

async function solid(r: number, g: number, b: number): Promise<Buffer> {
  return sharp({ create: { width: 64, height: 48, channels: 3, background: { r, g, b } } })
    .png()
    .toBuffer()
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

describe('photo analysis', () => {
  it('decodes a photo once for both models, each with its own channel order', async () => {
    const { clip, safety, gates } = createFakeModels()
    const analyze = createPhotoAnalysis({ clip, safety, threads: 2, batchLimit: 8 })

    const pending = analyze(await solid(255, 51, 0), signal)
    await until(() => gates.length === 1)
    gates[0]!()
    const outcome = await pending

    if (!outcome.ok) throw new Error(outcome.reason)
    const [red, green, blue] = outcome.analysis.embedding
    expect([red, green, blue].map((value) => value?.toFixed(3))).toEqual([
      '1.000',
      '0.200',
      '0.000',
    ])
    expect(outcome.analysis.nsfw).toBeCloseTo(0, 6)
  })

  it('analyses photos of different calls in one batch', async () => {
    const { clip, safety, runs, gates, preparedImages } = createFakeModels()
    const analyze = createPhotoAnalysis({ clip, safety, threads: 2, batchLimit: 8 })
    const first = analyze(await solid(255, 0, 0), signal)
    await until(() => gates.length === 1)

    const photos = await Promise.all([10, 20, 30].map((red) => solid(red, 0, 0)))
    const pending = photos.map((photo) => analyze(photo, signal))
    await until(() => preparedImages() === 2 * 4)
    gates[0]!()
    await until(() => gates.length === 2)
    gates[1]!()

    expect((await first).ok).toBe(true)
    const reds = (await Promise.all(pending)).map((outcome) =>
      outcome.ok ? Math.round((outcome.analysis.embedding[0] ?? 0) * 255) : outcome.reason,
    )
    expect(reds).toEqual([10, 20, 30])
    expect(runs).toEqual([1, 3])
  })

  it('drops a photo of an aborted call before it reaches a model', async () => {
    const { clip, safety, runs } = createFakeModels()
    const analyze = createPhotoAnalysis({ clip, safety, threads: 2, batchLimit: 8 })
    const aborted = new AbortController()
    aborted.abort()

    await expect(analyze(await solid(1, 2, 3), aborted.signal)).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect(runs).toEqual([])
  })

  it('returns a refusal for bytes that are not a photo', async () => {
    const { clip, safety } = createFakeModels()
    const analyze = createPhotoAnalysis({ clip, safety, threads: 2, batchLimit: 8 })

    expect(await analyze(Buffer.from('no photo'), signal)).toMatchObject({ ok: false })
  })
})
