import { describe, expect, it } from '@jest/globals'
import type { BioClassification, BioReading } from '../../src/inference/encoder/vision.js'
import { classifyBio, readLogits, type TextOdds } from '../../src/inference/encoder/classify-bio.js'
import { listBioParts } from '../../src/safety/bio-parts.js'
import { createBioSafety } from '../../src/safety/bio-safety.js'
import type { TextRisk } from '../../src/packs/text-risks.js'
import { createFakeModels } from '../http/_fake-models.js'
import { call } from '../photos/_fake-vision.js'

const { vision } = await createFakeModels()

/** Bio safety with a model that gives every bio the same classification. */
function bioSafetyWith(classification: BioClassification) {
  const read: BioReading[] = []
  const classify = async (readings: readonly BioReading[]) => {
    read.push(...readings)
    return classification
  }
  return { ...createBioSafety({ vision: { ...vision, classifyBio: classify } }), read }
}

describe('a bio', () => {
  it('is refused for what the rules find if the model is unsure', async () => {
    const safety = bioSafetyWith({ verdict: 'unsure' })
    expect(await safety.findRisk('selling weed and molly', call)).toBe('drug_sale')
    expect(await safety.findRisk('I bake bread', call)).toBeUndefined()
    expect(await safety.findRisk(' ', call)).toBeUndefined()
  })

  it('is refused for the gravest risk of rules and model', async () => {
    const safety = bioSafetyWith({ verdict: 'unsafe', risks: ['threat', 'self_harm'] })
    expect(await safety.findRisk('add me on snap', call)).toBe('self_harm')
    expect(await safety.findRisk("I'm 15", call)).toBe('minor_safety')
  })

  it('is accepted despite the rules if the model is sure that it is harmless', async () => {
    const safety = bioSafetyWith({ verdict: 'harmless' })
    expect(await safety.findRisk('selling weed and molly, said the film', call)).toBeUndefined()
  })

  it('is also read by the model with masked letters restored', async () => {
    const safety = bioSafetyWith({ verdict: 'unsure' })
    await safety.findRisk('I bake.\nsеnd nudеs', call)
    expect(safety.read[0]?.[0]).toBe('I bake. sеnd nudеs')
    expect(safety.read[1]).toEqual(['i bake. send nudes', 'i bake.', 'send nudes'])
  })
})

describe('the odds of a text', () => {
  const classes = ['threat', 'harmless', 'drug_sale'] as const
  const read = (...logits: number[]) =>
    readLogits(Float32Array.from(logits), { classes: [...classes] })

  it('add up the odds of all risks and have the likeliest risk', () => {
    const { risk, logOdds } = read(1, 0, 2)
    expect(risk).toBe('drug_sale')
    expect(logOdds).toBeCloseTo(Math.log(Math.exp(1) + Math.exp(2)))
  })

  it('do not overflow', () => {
    expect(read(1_000, -1_000, 0)).toEqual({ risk: 'threat', logOdds: 2_000 })
  })
})

describe('the classification of a bio', () => {
  const text = (logOdds: number, risk: TextRisk = 'threat') => ({ logOdds, risk })
  const classify = (...readings: TextOdds[][]) => classifyBio(readings, { unsafe: 1, harmless: -2 })

  it('is that of its only sentence', () => {
    expect(classify([text(1)])).toEqual({ verdict: 'unsafe', risks: ['threat'] })
    expect(classify([text(0.9)])).toEqual({ verdict: 'unsure' })
    expect(classify([text(-2.1)])).toEqual({ verdict: 'harmless' })
  })

  it('lets a harmless whole outweigh a sentence that looks unsafe by itself', () => {
    expect(classify([text(-5), text(-6), text(4)]).verdict).toBe('unsure')
    expect(classify([text(-9), text(-6), text(4)]).verdict).toBe('harmless')
  })

  it('detects an unsafe sentence among harmless ones', () => {
    expect(classify([text(-2), text(-6), text(4)]).verdict).toBe('unsafe')
  })

  it('has the risk of each text that is unsafe by itself', () => {
    const classification = classify([
      text(2, 'hate'),
      text(4),
      text(5, 'hate'),
      text(0, 'drug_sale'),
    ])
    expect(classification).toEqual({ verdict: 'unsafe', risks: ['hate', 'threat'] })
  })

  it('uses the worse of two readings', () => {
    expect(classify([text(-8)], [text(0), text(2)]).verdict).toBe('unsafe')
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
