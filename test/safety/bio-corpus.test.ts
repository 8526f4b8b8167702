import { readFileSync } from 'node:fs'
import { TEXT_RISKS, assessText } from '../../src/safety/text-safety.js'

/** One line of bios.jsonl; of a harmless bio `category` is the risk it could be taken for. */
interface LabelledBio {
  split: 'tune' | 'held-out'
  unsafe: boolean
  category: string
  text: string
  note: string
}

const bios = readFileSync(new URL('./bios.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as LabelledBio)

describe('the corpus of bios', () => {
  it('has unsafe examples of every risk a bio can have, and harmless ones that resemble it', () => {
    for (const risk of TEXT_RISKS.filter((candidate) => candidate !== 'profanity')) {
      const ofRisk = bios.filter(({ category }) => category === risk)
      expect(ofRisk.filter(({ unsafe }) => unsafe).length).toBeGreaterThanOrEqual(6)
      expect(ofRisk.filter(({ unsafe }) => !unsafe).length).toBeGreaterThanOrEqual(2)
    }
    expect(bios.filter(({ unsafe }) => unsafe).length).toBeGreaterThanOrEqual(90)
    expect(bios.filter(({ unsafe }) => !unsafe).length).toBeGreaterThanOrEqual(90)
  })

  it.each(['tune', 'held-out'] as const)('is told apart: %s', (split) => {
    const unsafe = bios.filter((bio) => bio.split === split && bio.unsafe)
    const harmless = bios.filter((bio) => bio.split === split && !bio.unsafe)
    const missed = unsafe.filter(({ text }) => assessText(text).safe)
    const falseAlarms = harmless.filter(({ text }) => !assessText(text).safe)

    expect(missed.length / unsafe.length).toBeLessThanOrEqual(0.05)
    expect(falseAlarms.length / harmless.length).toBeLessThanOrEqual(0.03)
  })

  it('misses nothing about minors', () => {
    const minors = bios.filter(({ unsafe, category }) => unsafe && category === 'minor_safety')
    expect(minors.filter(({ text }) => assessText(text).safe)).toEqual([])
  })

  it('names the right risk for nine in ten of what it refuses', () => {
    const refused = bios.filter(({ unsafe, text }) => unsafe && !assessText(text).safe)
    const named = refused.filter(({ text, category }) => {
      const assessment = assessText(text)
      return !assessment.safe && assessment.category === category
    })
    expect(named.length / refused.length).toBeGreaterThanOrEqual(0.9)
  })
})
