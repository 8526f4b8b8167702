import { describe, expect, it } from '@jest/globals'
import {
  parseSelection,
  parseStoredOpeners,
  toStoredOpeners,
  toStoredSelection,
} from '../../src/events/written-openers.js'
import type { Selection } from '../../src/openers/opener-policy.js'

const TEXT = 'Does the kiln ever win against the cat?'
const OPENER = { style: 'open_question', length: TEXT.length, text: TEXT } as const
const TRAITS = { isQuestion: true, detail: 'bio', score: 0.81249 } as const

describe('the stored openers of a call', () => {
  it('have style and length alone, without the text, while learning is off', () => {
    const stored = toStoredOpeners([OPENER])
    expect(JSON.parse(stored)).toEqual([{ style: 'open_question', length: 39 }])
    expect(parseStoredOpeners(stored)).toEqual([{ style: 'open_question', length: 39 }])
  })

  it('have their traits while learning is on, with a score of three digits', () => {
    const stored = toStoredOpeners([OPENER], [TRAITS])
    expect(JSON.parse(stored)).toEqual([
      { style: 'open_question', length: 39, question: true, detail: 'bio', score: 0.812 },
    ])
    expect(parseStoredOpeners(stored)).toEqual([
      { style: 'open_question', length: 39, isQuestion: true, detail: 'bio', score: 0.812 },
    ])
  })

  it('keep that a pack without a reranker gives no score', () => {
    const stored = toStoredOpeners([OPENER], [{ ...TRAITS, score: null }])
    expect(parseStoredOpeners(stored)[0]!.score).toBeNull()
  })

  it('are none for a call that wrote none', () => {
    expect(parseStoredOpeners(null)).toEqual([])
  })
})

describe('the stored selection of a call', () => {
  const selection: Selection = {
    arm: 'learned',
    bucket: 417,
    styles: ['open_question', 'photo_callback'],
    probabilities: [0.3, 0.7],
  }

  it('is read as it was written', () => {
    expect(parseSelection(toStoredSelection(selection))).toEqual(selection)
    const control: Selection = { ...selection, arm: 'control', probabilities: null }
    expect(parseSelection(toStoredSelection(control))).toEqual(control)
  })

  it('has no other field of the object', () => {
    expect(
      toStoredSelection({ ...selection, subject: 'ab'.repeat(32) } as Selection),
    ).not.toContain('abab')
  })

  it('is undefined for a call that was made while learning was off', () => {
    expect(parseSelection(null)).toBeUndefined()
  })
})
