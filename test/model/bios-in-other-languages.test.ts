import { readFileSync } from 'node:fs'
import type { VisionModel } from '../../src/inference/encoder/vision.js'
import { createBioSafety, type BioSafety } from '../../src/safety/bio-safety.js'
import { createFakeModels } from '../http/_fake-models.js'
import { call } from '../photos/_fake-vision.js'
import { describeWithWeights } from '../_weights.js'
import { missingVisionWeights, startVisionWorker, type VisionWorker } from './_vision-worker.js'

/** Plain wording in German, French, Spanish, Portuguese and Italian, which no word rule covers. */
const bios = readFileSync('test/safety/bios-in-other-languages.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { category: string; text: string })

describeWithWeights('bio safety in other languages', await missingVisionWeights(), () => {
  let worker: VisionWorker
  let safety: BioSafety

  beforeAll(async () => {
    worker = await startVisionWorker()
    const { vision } = await createFakeModels()
    const classifyBio: VisionModel['classifyBio'] = (readings) =>
      worker.call('classifyBio', { readings: [...readings] })
    safety = createBioSafety({ vision: { ...vision, classifyBio } })
  })
  afterAll(() => worker?.drain())

  it.each(bios)('refuses by the model alone: $text', async ({ text }) => {
    expect(await safety.findRisk(text, call)).toBeDefined()
  })
})
