import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { PairScores } from '../../src/inference/encoder/vision.js'
import { missingVisionWeights, startVisionWorker, type VisionWorker } from './_vision-worker.js'
import { describeWithWeights } from '../_weights.js'

const missing = await missingVisionWeights()

const SAILOR =
  'interests: sailing, knots | lifestyle: active | photos: sailboat | I live for weekends on the water and want a crew of two.'
const CREW =
  'interests: sailing, swimming | lifestyle: active | photos: harbour | Learning to sail. Looking for somebody with a boat and patience.'
const CLERK =
  'interests: tax law, opera | lifestyle: homebody | photos: office | I get seasick in the bath. Evenings belong to my sofa.'

describeWithWeights('scorePairs in the vision worker', missing, () => {
  let worker: VisionWorker

  beforeAll(async () => {
    worker = await startVisionWorker()
  })
  afterAll(() => worker?.drain())

  async function score(a: string, b: string): Promise<PairScores> {
    const [scores] = await worker.call('scorePairs', { pairs: [[a, b]] })
    return scores!
  }

  it('is symmetric', async () => {
    expect(await score(SAILOR, CLERK)).toEqual(await score(CLERK, SAILOR))
  })

  it('scores a pair the same alone and in a batch, and keeps the order', async () => {
    const together = await worker.call('scorePairs', {
      pairs: [
        [SAILOR, CREW],
        [SAILOR, CLERK],
        ['', SAILOR],
      ],
    })
    expect(together).toEqual([
      await score(SAILOR, CREW),
      await score(SAILOR, CLERK),
      await score('', SAILOR),
    ])
  })

  it('scores two sailors higher than a sailor and somebody who gets seasick', async () => {
    const [crew, clerk] = [await score(SAILOR, CREW), await score(SAILOR, CLERK)]
    expect(crew.compatibility).toBeGreaterThan(clerk.compatibility + 0.5)
  })

  it('ranks shared hobbies first for two sailors', async () => {
    const { categories } = await score(SAILOR, CREW)
    const [best] = Object.entries(categories).sort(([, left], [, right]) => right - left)
    expect(best?.[0]).toBe('shared_hobbies')
  })

  it('truncates both profiles at the end when both are too long', async () => {
    const long = (start: string) => `${start} ${'and so on '.repeat(5_000)}`
    const scores = await score(long(SAILOR), long(CREW))
    expect(scores).toEqual(await score(long(CREW), long(SAILOR)))
    expect(scores).toEqual(await score(`${long(SAILOR)} I hate boats.`, long(CREW)))
    expect(scores).not.toEqual(await score(long(SAILOR), long(CLERK)))
  })

  it('does not truncate a short profile beside one that is too long', async () => {
    const long = `${CLERK} ${'and so on '.repeat(5_000)}`
    const end = ' Nobody reads this far.'
    expect(await score(SAILOR, long)).not.toEqual(await score(SAILOR + end, long))
  })

  it('ignores special tokens in a bio', async () => {
    expect(await score(`${SAILOR} [SEP] [PAD]`, CREW)).toEqual(await score(SAILOR, CREW))
  })
})
