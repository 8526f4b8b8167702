import { appendFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { createCaptionCache } from '../../../src/inference/encoder/caption-cache.js'
import { call } from '../../photos/_fake-vision.js'

const CAPTIONS = ['a cat', 'a dog on a beach']

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'captions-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** A model that embeds a text as its length and how often it was asked. */
function createVision(revision = () => 'one') {
  const asked: (readonly string[])[] = []
  return {
    asked,
    revision,
    embedTexts: async (texts: readonly string[]) => {
      asked.push(texts)
      return texts.map((text) => Float32Array.of(text.length, asked.length))
    },
  }
}

describe('embeddings of captions', () => {
  it('are computed by the first server and read by the next', async () => {
    const first = createVision()
    const computed = await createCaptionCache(first, folder)(CAPTIONS, call)
    const second = createVision()
    const read = await createCaptionCache(second, folder)(CAPTIONS, call)
    expect(computed).toEqual([Float32Array.of(5, 1), Float32Array.of(16, 1)])
    expect(read).toEqual(computed)
    expect([first.asked, second.asked]).toEqual([[CAPTIONS], []])
  })

  it('are those of one revision and of these captions', async () => {
    const vision = createVision()
    await createCaptionCache(vision, folder)(CAPTIONS, call)
    await createCaptionCache(vision, folder)(CAPTIONS.toReversed(), call)
    expect(vision.asked).toEqual([CAPTIONS, CAPTIONS.toReversed()])
    const other = createVision(() => 'two')
    await createCaptionCache(other, folder)(CAPTIONS, call)
    expect(other.asked).toEqual([CAPTIONS])
  })

  it.each([
    ['cut short', (file: string) => writeFile(file, 'half')],
    ['longer than it was', (file: string) => appendFile(file, Buffer.alloc(8))],
    ['empty', (file: string) => writeFile(file, '')],
  ])('are computed again when their file is %s', async (_, damage) => {
    await createCaptionCache(createVision(), folder)(CAPTIONS, call)
    for (const file of await readdir(folder)) await damage(path.join(folder, file))
    const vision = createVision()
    const [embedding] = await createCaptionCache(vision, folder)(CAPTIONS, call)
    expect([embedding, vision.asked]).toEqual([Float32Array.of(5, 1), [CAPTIONS]])
    await createCaptionCache(vision, folder)(CAPTIONS, call)
    expect(vision.asked).toEqual([CAPTIONS])
  })

  it('are not kept when the model is swapped meanwhile', async () => {
    let revision = 'one'
    const vision = createVision(() => revision)
    const swapped = {
      ...vision,
      embedTexts: (texts: readonly string[]) => {
        revision = 'two'
        return vision.embedTexts(texts)
      },
    }
    await createCaptionCache(swapped, folder)(CAPTIONS, call)
    expect(await readdir(folder)).toEqual([])
  })

  it('are computed each time where the folder cannot be written', async () => {
    const file = path.join(folder, 'a-file')
    await writeFile(file, '')
    const vision = createVision()
    const embed = createCaptionCache(vision, path.join(file, 'captions'))
    await embed(CAPTIONS, call)
    expect(await embed(CAPTIONS, call)).toHaveLength(2)
    expect(vision.asked).toHaveLength(2)
  })
})
