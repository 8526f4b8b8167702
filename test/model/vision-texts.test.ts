import {
  cosine,
  missingVisionWeights,
  startVisionWorker,
  type VisionWorker,
} from './_vision-worker.js'
import { describeWithWeights } from '../_weights.js'

/** The same tokens in the same batch give the same floats. */
const SAME = 0.999999

const missing = await missingVisionWeights()

describeWithWeights('embedTexts in the vision worker', missing, () => {
  let worker: VisionWorker

  beforeAll(async () => {
    worker = await startVisionWorker()
  })

  afterAll(async () => {
    await worker.drain()
  })

  async function embed(text: string): Promise<Float32Array> {
    const [embedding] = await worker.call('embedTexts', { texts: [text] })
    return embedding!
  }

  it('embeds a text the same alone and beside longer ones', async () => {
    const texts = ['a cat', 'hiking in the mountains with friends on a long weekend', 'surf']
    const alone = []
    for (const text of texts) alone.push(await embed(text))

    const together = await worker.call('embedTexts', { texts })

    for (const [index, embedding] of together.entries()) {
      expect(cosine(embedding, alone[index]!)).toBeGreaterThan(SAME)
    }
  })

  it('keeps the order of texts of different lengths', async () => {
    const texts = Array.from({ length: 40 }, (_, index) => 'very '.repeat(40 - index) + 'tall')

    const embeddings = await worker.call('embedTexts', { texts })

    for (const index of [0, 20, 39]) {
      expect(cosine(embeddings[index]!, await embed(texts[index]!))).toBeGreaterThan(SAME)
    }
  })

  it('truncates a text at the limit of the pack and keeps its end token', async () => {
    // 126 words and the two special tokens are the 128 tokens of clip-lite.
    const full = await embed('cat '.repeat(126))

    expect(cosine(await embed('cat '.repeat(500)), full)).toBeGreaterThan(SAME)
    expect(cosine(await embed('cat '.repeat(125)), full)).toBeLessThan(SAME)
  })

  it('handles a text of a megabyte', async () => {
    expect(Math.hypot(...(await embed('x'.repeat(1_000_000))))).toBeCloseTo(1, 5)
    expect(Math.hypot(...(await embed('😀'.repeat(250_000))))).toBeCloseTo(1, 5)
  })

  it('ignores special tokens in a text', async () => {
    const plain = await embed('a cat and a dog')

    expect(cosine(await embed('a cat [SEP] and [PAD] a dog'), plain)).toBeGreaterThan(SAME)
  })

  it('embeds the empty text', async () => {
    expect(Math.hypot(...(await embed('')))).toBeCloseTo(1, 5)
  })

  it('answers calls without texts or photos', async () => {
    expect(await worker.call('embedTexts', { texts: [] })).toEqual([])
    expect(await worker.call('analyzePhotos', { photos: [] })).toEqual([])
  })
})
