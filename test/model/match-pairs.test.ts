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

describeWithWeights('pairs of profiles in the vision worker', missing, () => {
  let worker: VisionWorker

  beforeAll(async () => {
    worker = await startVisionWorker()
  })
  afterAll(() => worker?.drain())

  async function judge(a: string, b: string): Promise<PairScores> {
    const [judgement] = await worker.call('scorePairs', { pairs: [[a, b]] })
    return judgement!
  }

  it('are judged the same both ways round', async () => {
    expect(await judge(SAILOR, CLERK)).toEqual(await judge(CLERK, SAILOR))
  })

  it('are judged the same alone and among others, in their order', async () => {
    const together = await worker.call('scorePairs', {
      pairs: [
        [SAILOR, CREW],
        [SAILOR, CLERK],
        ['', SAILOR],
      ],
    })
    expect(together).toEqual([
      await judge(SAILOR, CREW),
      await judge(SAILOR, CLERK),
      await judge('', SAILOR),
    ])
  })

  it('fit better when they want to share a boat than when one of them gets seasick', async () => {
    const [crew, clerk] = [await judge(SAILOR, CREW), await judge(SAILOR, CLERK)]
    expect(crew.compatibility).toBeGreaterThan(clerk.compatibility + 0.5)
  })

  it('are told by what describes them', async () => {
    const { categories } = await judge(SAILOR, CREW)
    const [best] = Object.entries(categories).sort(([, left], [, right]) => right - left)
    expect(best?.[0]).toBe('shared_hobbies')
  })

  it('are read from their beginnings when both are far too long', async () => {
    const long = (start: string) => `${start} ${'and so on '.repeat(5_000)}`
    const judgement = await judge(long(SAILOR), long(CREW))
    expect(judgement).toEqual(await judge(long(CREW), long(SAILOR)))
    expect(judgement).toEqual(await judge(`${long(SAILOR)} I hate boats.`, long(CREW)))
    expect(judgement).not.toEqual(await judge(long(SAILOR), long(CLERK)))
  })

  it('leave a short profile whole beside one that is far too long', async () => {
    const long = `${CLERK} ${'and so on '.repeat(5_000)}`
    const end = ' Nobody reads this far.'
    expect(await judge(SAILOR, long)).not.toEqual(await judge(SAILOR + end, long))
  })

  it('keep control tokens of a bio as nothing', async () => {
    expect(await judge(`${SAILOR} [SEP] [PAD]`, CREW)).toEqual(await judge(SAILOR, CREW))
  })
})
