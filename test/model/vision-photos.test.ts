import sharp, { type Sharp } from 'sharp'
import type { PhotoOutcome } from '../../src/inference/encoder/vision.js'
import {
  analyze,
  bundledPhoto,
  cosine,
  missingVisionWeights,
  PHOTO_NAMES,
  startVisionWorker,
  type VisionWorker,
} from './_vision-worker.js'
import { describeWithWeights } from '../_weights.js'

/** By EXIF orientation: where the file stores the pixel shown at (u, v) of an image of w × h. */
const STORED_AT: Record<number, (u: number, v: number, w: number, h: number) => [number, number]> =
  {
    1: (u, v) => [u, v],
    2: (u, v, w) => [w - 1 - u, v],
    3: (u, v, w, h) => [w - 1 - u, h - 1 - v],
    4: (u, v, _w, h) => [u, h - 1 - v],
    5: (u, v) => [v, u],
    6: (u, v, w) => [v, w - 1 - u],
    7: (u, v, w, h) => [h - 1 - v, w - 1 - u],
    8: (u, v, _w, h) => [h - 1 - v, u],
  }

/** Same pixels in another file; only the order of float32 sums may differ. */
const SAME = 0.99999

const missing = await missingVisionWeights()

describeWithWeights('analyzePhotos in the vision worker', missing, () => {
  let worker: VisionWorker
  let cat: Buffer
  let catEmbedding: Float32Array

  beforeAll(async () => {
    worker = await startVisionWorker()
    cat = await bundledPhoto('cat')
    catEmbedding = await embed(cat)
  })

  afterAll(async () => {
    await worker.drain()
  })

  async function embed(photo: Uint8Array): Promise<Float32Array> {
    const [analysis] = await analyze(worker, photo)
    return analysis!.embedding
  }

  it.each(Object.keys(STORED_AT).map(Number))(
    'applies EXIF orientation %i',
    async (orientation) => {
      const photo = await storedAs(orientation, cat)

      expect(cosine(await embed(photo), catEmbedding)).toBeGreaterThan(SAME)
    },
  )

  it.each<[string, number, (image: Sharp) => Sharp]>([
    ['PNG', SAME, (image) => image.png()],
    ['16-bit PNG', SAME, (image) => image.toColourspace('rgb16').png()],
    ['interlaced PNG', SAME, (image) => image.png({ progressive: true })],
    ['lossless WebP', SAME, (image) => image.webp({ lossless: true })],
    ['PNG of Display P3 colours', 0.9995, (image) => image.withIccProfile('p3').png()],
    // Lossy formats. Measured: 0.998 to 0.9997, GIF and CMYK 0.978.
    ['progressive JPEG', 0.99, (image) => image.jpeg({ progressive: true, quality: 95 })],
    ['WebP', 0.99, (image) => image.webp({ quality: 95 })],
    ['AVIF', 0.99, (image) => image.avif({ quality: 95 })],
    ['10-bit AVIF', 0.99, (image) => image.avif({ quality: 95, bitdepth: 10 })],
    ['GIF of 256 colours', 0.95, (image) => image.gif()],
    ['CMYK JPEG', 0.95, (image) => image.toColourspace('cmyk').jpeg({ quality: 95 })],
  ])('embeds a %s like the JPEG', async (_format, similarity, encode) => {
    const photo = await encode(sharp(cat)).toBuffer()

    expect(cosine(await embed(photo), catEmbedding)).toBeGreaterThan(similarity)
  })

  it('embeds a greyscale photo like its RGB version', async () => {
    const grey = sharp(cat).greyscale()
    const oneChannel = await grey.clone().png().toBuffer()
    const threeChannels = await sharp(await grey.raw().toBuffer(), {
      raw: { width: 451, height: 300, channels: 1 },
    })
      .toColourspace('srgb')
      .png({ palette: false })
      .toBuffer()

    expect(cosine(await embed(oneChannel), await embed(threeChannels))).toBeGreaterThan(SAME)
  })

  it('composes transparent parts on white', async () => {
    const mask = await sharp({
      create: { width: 451, height: 300, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .composite([
        {
          input: { create: { width: 200, height: 300, channels: 4, background: '#000' } },
          left: 0,
          top: 0,
        },
      ])
      .png()
      .toBuffer()
    const cutOut = sharp(cat)
      .ensureAlpha()
      .composite([{ input: mask, blend: 'dest-in' }])
    const transparent = await cutOut.png().toBuffer()
    const onWhite = await sharp(transparent).flatten({ background: '#fff' }).png().toBuffer()
    const onBlack = await sharp(transparent).flatten({ background: '#000' }).png().toBuffer()
    const embedding = await embed(transparent)

    expect(cosine(embedding, await embed(onWhite))).toBeGreaterThan(SAME)
    expect(cosine(embedding, await embed(onBlack))).toBeLessThan(0.99)
  })

  it.each(['gif', 'webp'] as const)(
    'analyses the first frame of an animated %s',
    async (format) => {
      const frames = await Promise.all(
        (['cat', 'rocket'] as const).map(async (name) =>
          sharp(await bundledPhoto(name))
            .resize(300, 300)
            .png()
            .toBuffer(),
        ),
      )
      const animation = await sharp(frames, { join: { animated: true } })
        .toFormat(format)
        .toBuffer()
      expect((await sharp(animation).metadata()).pages).toBe(2)

      const embedding = await embed(animation)

      expect(cosine(embedding, await embed(frames[0]!))).toBeGreaterThan(0.9)
      expect(cosine(embedding, await embed(frames[1]!))).toBeLessThan(0.5)
    },
  )

  it('embeds a photo of 9 megapixels like its small version', async () => {
    const large = await sharp(cat).resize(3_608, 2_400).jpeg({ quality: 90 }).toBuffer()

    expect(cosine(await embed(large), catEmbedding)).toBeGreaterThan(0.99)
  })

  it('accepts a file with format violations but complete pixels', async () => {
    const tables = cat.indexOf(Buffer.from([0xff, 0xdb]))
    const stray = Buffer.concat([cat.subarray(0, tables), Buffer.alloc(3), cat.subarray(tables)])

    expect(cosine(await embed(stray), catEmbedding)).toBeGreaterThan(SAME)
    expect(cosine(await embed(Buffer.concat([cat, cat])), catEmbedding)).toBeGreaterThan(SAME)
  })

  it('refuses unusable photos and analyses the others of the call', async () => {
    const png = await sharp(cat).png().toBuffer()
    const photos = [
      cat,
      cat.subarray(0, cat.length / 2),
      png.subarray(0, png.length / 2),
      await solidPng(10_000, 6_000),
      await solidPng(10_100, 100),
      Buffer.from('This is no photo. '.repeat(100)),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>'),
      await sharp(cat).tiff().toBuffer(),
      Buffer.alloc(0),
      png,
    ]

    const outcomes = await worker.call('analyzePhotos', { photos })

    expect(outcomes.map(({ ok }) => ok)).toEqual([true, ...Array(8).fill(false), true])
    expect(reasonsOf(outcomes)).toEqual(Array(8).fill(expect.stringMatching(/^[a-z0-9][\w ,]+$/i)))
  })

  it('reports distinct reasons for too many pixels, damage and other formats', async () => {
    const photos = [await solidPng(10_000, 6_000), cat.subarray(0, 9_000), Buffer.from('text')]

    const reasons = reasonsOf(await worker.call('analyzePhotos', { photos }))

    expect(new Set(reasons).size).toBe(3)
  })

  it('accepts a photo of one pixel and one of 50 megapixels', async () => {
    const photos = [await solidPng(1, 1), await solidPng(10_000, 5_000)]

    expect(await analyze(worker, ...photos)).toHaveLength(2)
  })

  it('analyses a photo the same alone and in a batch', async () => {
    const photos = await Promise.all(PHOTO_NAMES.map(bundledPhoto))
    const alone = []
    for (const photo of photos) alone.push((await analyze(worker, photo))[0]!)

    const oneCall = await analyze(worker, ...photos)
    const manyCalls = (await Promise.all(photos.map((photo) => analyze(worker, photo)))).flat()

    for (const together of [oneCall, manyCalls]) {
      for (const [index, { embedding, nsfw }] of together.entries()) {
        expect(cosine(embedding, alone[index]!.embedding)).toBeGreaterThan(0.999999)
        expect(nsfw).toBeCloseTo(alone[index]!.nsfw, 5)
      }
    }
  })

  it('abandons an aborted call and serves the next', async () => {
    const abort = new AbortController()
    const photos = Array.from({ length: 10 }, () => cat)
    const leaving = worker.call('analyzePhotos', { photos }, { signal: abort.signal })
    abort.abort()

    await expect(leaving).rejects.toMatchObject({ reason: 'aborted' })
    expect(cosine(await embed(cat), catEmbedding)).toBeGreaterThan(SAME)
  })
})

describeWithWeights('a vision worker that is short of memory', missing, () => {
  it('fails the call and never calls the photo damaged', async () => {
    // It fills 640 MB when it is loaded; a photo of 16 megapixels as AVIF takes 280 MB more.
    const worker = await startVisionWorker(undefined, { dataLimitBytes: async () => 800_000_000 })
    const create = { width: 4_000, height: 4_000, channels: 3, background: '#284' } as const
    const large = await sharp({ create }).avif({ effort: 0 }).toBuffer()

    await expect(worker.call('analyzePhotos', { photos: [large] })).rejects.toMatchObject({
      reason: 'failed',
      message: expect.stringContaining('MemoryShortage'),
    })

    expect(await analyze(worker, await bundledPhoto('cat'))).toHaveLength(1)
    worker.kill()
    await worker.exited
  })
})

function reasonsOf(outcomes: PhotoOutcome[]): string[] {
  return outcomes.flatMap((outcome) => (outcome.ok ? [] : [outcome.reason]))
}

async function storedAs(orientation: number, photo: Buffer): Promise<Buffer> {
  const { data, info } = await sharp(photo).raw().toBuffer({ resolveWithObject: true })
  const [width, height] = orientation < 5 ? [info.width, info.height] : [info.height, info.width]
  const pixels = Buffer.alloc(data.length)
  for (let v = 0; v < info.height; v++) {
    for (let u = 0; u < info.width; u++) {
      const [x, y] = STORED_AT[orientation]!(u, v, info.width, info.height)
      data.copy(pixels, 3 * (y * width + x), 3 * (v * info.width + u), 3 * (v * info.width + u) + 3)
    }
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .withMetadata({ orientation })
    .webp({ lossless: true })
    .toBuffer()
}

function solidPng(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: '#879' } })
    .png()
    .toBuffer()
}
