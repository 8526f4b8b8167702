import { TEXT_RISKS } from '../../src/packs/text-risks.js'
import { assessText } from '../../src/safety/text-safety.js'
import { readJsonLines } from '../../src/tools/read-json-lines.js'

/** One line of bios.jsonl. `held-out` was scored once before the rules were fixed for its misses. */
interface LabelledBio {
  split: 'tune' | 'held-out'
  unsafe: boolean
  category: string | null
  text: string
  note?: string
}

const bios = readJsonLines<LabelledBio>('test/safety/bios.jsonl')
const unsafeBios = bios.filter(({ unsafe }) => unsafe)
const harmlessBios = bios.filter(({ unsafe }) => !unsafe)

describe('the corpus of bios', () => {
  it('has examples of every risk a bio can have, and more harmless bios than unsafe ones', () => {
    for (const risk of TEXT_RISKS.filter((candidate) => candidate !== 'profanity')) {
      expect(unsafeBios.filter(({ category }) => category === risk).length).toBeGreaterThan(20)
    }
    expect(harmlessBios.length).toBeGreaterThan(unsafeBios.length)
  })

  it.each(['tune', 'held-out'] as const)('is classified with few errors: %s', (split) => {
    const unsafe = unsafeBios.filter((bio) => bio.split === split)
    const harmless = harmlessBios.filter((bio) => bio.split === split)
    const missed = unsafe.filter(({ text }) => assessText(text).safe)
    const falseAlarms = harmless.filter(({ text }) => !assessText(text).safe)

    expect(missed.length / unsafe.length).toBeLessThanOrEqual(0.05)
    expect(falseAlarms.length / harmless.length).toBeLessThanOrEqual(0.03)
  })

  it('has no undetected risk to minors', () => {
    const minors = unsafeBios.filter(({ category }) => category === 'minor_safety')
    expect(minors.filter(({ text }) => assessText(text).safe)).toEqual([])
  })

  it('is rarely refused for the wrong risk', () => {
    const named = unsafeBios.filter(({ text, category }) => {
      const assessment = assessText(text)
      return assessment.safe || assessment.category === category
    })
    expect(named.length / unsafeBios.length).toBeGreaterThanOrEqual(0.95)
  })
})

describe('bios that neither the rules nor the classifier were developed on', () => {
  const refused = (rows: readonly { text: string }[]) =>
    rows.filter(({ text }) => !assessText(text).safe).length / rows.length
  const heldOut = readJsonLines<Pick<LabelledBio, 'category' | 'text'>>(
    'test/safety/corpus/held-out.jsonl',
  )

  it('raise few false alarms', () => {
    expect(refused(heldOut.filter(({ category }) => category === null))).toBeLessThanOrEqual(0.035)
  })

  it('raise almost no false alarms if they are ordinary', () => {
    const profiles = readJsonLines<Record<'sender' | 'recipient', { bio: string }>>(
      'examples/evaluation/reporting.jsonl',
    )
    const bios = profiles.flatMap(({ sender, recipient }) => [sender.bio, recipient.bio])
    expect(refused(bios.map((text) => ({ text })))).toBeLessThanOrEqual(0.02)
  })
})
