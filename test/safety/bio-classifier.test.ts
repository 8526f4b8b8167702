import { describe, expect, it } from '@jest/globals'
import { startUpCall } from '../../src/inference/call.js'
import { createBioClassifier, loadBioClassifier } from '../../src/safety/bio-classifier.js'
import { listBioParts } from '../../src/safety/bio-parts.js'

const classifier = createBioClassifier({
  probe: { text: '', embedding: [] },
  threshold: 2,
  classes: [
    { name: 'harmless', bias: 0, weights: [5, 0, 0] },
    { name: 'threat', bias: 0, weights: [0, 5, 0] },
    { name: 'drug_sale', bias: 0, weights: [0, 0, 5] },
  ],
})
const part = (...values: number[]) => Float32Array.from(values)

describe('the classifier of bios', () => {
  it('names the risk of the worst part', () => {
    expect(classifier.findRisk([part(1, 0, 0), part(0, 0, 1), part(0.5, 0.5, 0)])).toBe('drug_sale')
  })

  it('is silent where no part is clearly unsafe', () => {
    expect(classifier.findRisk([part(1, 0, 0), part(0.6, 0.7, 0)])).toBeUndefined()
    expect(classifier.findRisk([])).toBeUndefined()
  })

  it('does not judge in a text space that it was not fitted in', async () => {
    const similarity = {
      embed: async (texts: readonly string[]) => texts.map(() => part(1, 0, 0)),
    }
    expect(await loadBioClassifier(similarity, startUpCall())).toBeUndefined()
  })
})

describe('the parts of a bio', () => {
  it('are the whole and its sentences', () => {
    expect(listBioParts('I bake.\nI climb!')).toEqual(['I bake. I climb!', 'I bake.', 'I climb!'])
    expect(listBioParts(' One sentence ')).toEqual(['One sentence'])
  })

  it('are few, however many sentences there are', () => {
    const parts = listBioParts('I bake bread. '.repeat(300) + 'I climb.')
    expect(parts.length).toBeLessThanOrEqual(17)
    expect(parts.at(-1)).toContain('I climb.')
  })
})
