import { describe, expect, it } from '@jest/globals'
import type { TextJudgement } from '../../src/inference/vision.js'
import { judgeText } from '../../src/inference/vision/judge-text.js'
import { listBioParts } from '../../src/safety/bio-parts.js'
import { createBioSafety } from '../../src/safety/bio-safety.js'
import { createFakeModels } from '../api/_fake-models.js'
import { call } from '../photos/fake-vision.js'

const { vision } = await createFakeModels()

/** A service whose model says the same of every text that contains the word, and `unsure` of all others. */
function bioSafetyThat(says: Partial<TextJudgement>, word = '') {
  const read: string[] = []
  const unsure: TextJudgement = { verdict: 'unsure', risk: 'threat', logOdds: 0 }
  const judgeTexts = async (texts: readonly string[]) => {
    read.push(...texts)
    return texts.map((text) => (text.includes(word) ? { ...unsure, ...says } : unsure))
  }
  return { ...createBioSafety({ vision: { ...vision, judgeTexts } }), read }
}

describe('a bio', () => {
  it('is refused for what the rules find and the model is unsure of', async () => {
    const safety = bioSafetyThat({})
    expect(await safety.findRisk('selling weed and molly', call)).toBe('drug_sale')
    expect(await safety.findRisk('I bake bread', call)).toBeUndefined()
    expect(await safety.findRisk(' ', call)).toBeUndefined()
  })

  it('is refused for the gravest of what rules and model find', async () => {
    const safety = bioSafetyThat({ verdict: 'unsafe', risk: 'self_harm' })
    expect(await safety.findRisk('add me on snap', call)).toBe('self_harm')
    expect(await safety.findRisk("I'm 15", call)).toBe('minor_safety')
  })

  it('is refused when one of its sentences is', async () => {
    const safety = bioSafetyThat({ verdict: 'unsafe', risk: 'threat' }, 'Tonight')
    expect(await safety.findRisk('I bake. Tonight you pay. I row.', call)).toBe('threat')
  })

  it('is excused when the model finds all of it harmless', async () => {
    const bio = 'selling weed and molly, said the film. I bake.'
    expect(await bioSafetyThat({ verdict: 'harmless' }).findRisk(bio, call)).toBeUndefined()
    expect(await bioSafetyThat({ verdict: 'harmless' }, 'film').findRisk(bio, call)).toBe(
      'drug_sale',
    )
  })

  it('is read by the model as the rules read it', async () => {
    const safety = bioSafetyThat({})
    await safety.findRisk('sеnd nudеs', call)
    expect(safety.read).toContain('send nudes')
  })
})

describe('the judgement of a text', () => {
  const section = {
    classes: ['threat', 'harmless', 'drug_sale'] as const,
    thresholds: { unsafe: 1, harmless: -2 },
  }
  const judge = (...logits: number[]) =>
    judgeText(Float32Array.from(logits), { ...section, classes: [...section.classes] })

  it('adds up the odds of all risks and names the likeliest', () => {
    const { verdict, risk, logOdds } = judge(1, 0, 2)
    expect([verdict, risk]).toEqual(['unsafe', 'drug_sale'])
    expect(logOdds).toBeCloseTo(Math.log(Math.exp(1) + Math.exp(2)))
  })

  it('is unsure between the thresholds', () => {
    expect(judge(0, 1, -9).verdict).toBe('unsure')
    expect(judge(0, 3, -9).verdict).toBe('harmless')
  })

  it('does not overflow', () => {
    expect(judge(1_000, -1_000, 0)).toEqual({ verdict: 'unsafe', risk: 'threat', logOdds: 2_000 })
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
