import {
  chooseSequence,
  type SequenceView,
} from '../../../src/inference/language/sequence-choice.js'

/** `count` tokens that are unique to the name. */
function tokens(name: string, count: number): number[] {
  return Array.from({ length: count }, (_, i) => name.codePointAt(0)! * 1_000 + i)
}

function idle(view: Partial<SequenceView> = {}): SequenceView {
  const held = view.tokens ?? []
  return { tokens: held, evaluated: held.length, isBusy: false, lastUsed: 0, ...view }
}

function busy(view: Partial<SequenceView> = {}): SequenceView {
  return idle({ ...view, isBusy: true })
}

const ALONE = { canCopy: true, waiting: 1, freshTokens: 2 }

describe('chooseSequence', () => {
  const start = tokens('s', 100)
  const prompt = [...start, ...tokens('p', 10)]

  it('takes the idle sequence with the prefix of the prompt, whenever it was last used', () => {
    const sequences = [
      idle({ lastUsed: 3 }),
      idle({ tokens: [...start, ...tokens('o', 5)], lastUsed: 1 }),
      idle({ tokens: tokens('o', 200), lastUsed: 2 }),
    ]
    expect(chooseSequence(prompt, sequences, ALONE)).toEqual({ index: 1 })
    sequences[1]!.lastUsed = 9
    expect(chooseSequence(prompt, sequences, ALONE)).toEqual({ index: 1 })
  })

  it('takes the longest common prefix, however short, and the least recently used among equals', () => {
    const sequences = [
      idle({ tokens: start.slice(0, 20), lastUsed: 3 }),
      idle({ lastUsed: 1 }),
      idle({ tokens: start.slice(0, 20), lastUsed: 2 }),
    ]
    expect(chooseSequence(prompt, sequences, ALONE)).toEqual({ index: 2 })
  })

  it('returns repeated concurrent prompts to their earlier sequences', () => {
    const prompts = ['a', 'b', 'c'].map((name) => [...start, ...tokens(name, 10)])
    const sequences = prompts.map((held, index) => idle({ tokens: held, lastUsed: 3 - index }))
    for (const [index, again] of prompts.entries()) {
      expect(chooseSequence(again, sequences, ALONE)).toEqual({ index })
      sequences[index]!.isBusy = true
    }
  })

  it('takes a sequence adjacent to busy ones, so that busy ones stay adjacent', () => {
    const sequences = [
      idle({ lastUsed: 1 }),
      idle({ lastUsed: 2 }),
      busy({ lastUsed: 9 }),
      idle({ lastUsed: 3 }),
      busy({ lastUsed: 8 }),
    ]
    expect(chooseSequence(prompt, sequences, ALONE)).toEqual({ index: 3 })
    sequences[3]!.isBusy = true
    expect(chooseSequence(prompt, sequences, ALONE)).toEqual({ index: 1 })
  })

  it('takes a slightly longer prefix over adjacency when all sequences are about to be busy', () => {
    const sequences = [busy(), idle(), idle({ tokens: start.slice(0, 20) })]

    expect(chooseSequence(prompt, sequences, ALONE)).toEqual({ index: 1 })
    expect(chooseSequence(prompt, sequences, { ...ALONE, waiting: 2 })).toEqual({ index: 2 })
  })

  it('returns undefined while all are busy', () => {
    expect(chooseSequence(prompt, [busy(), busy({ tokens: prompt })], ALONE)).toBeUndefined()
  })

  it('copies from a busy sequence with a much longer prefix', () => {
    const sequences = [
      idle({ tokens: start.slice(0, 15), lastUsed: 2 }),
      busy({ tokens: [...start, ...tokens('o', 20)], evaluated: 110, lastUsed: 3 }),
      idle({ lastUsed: 1 }),
    ]
    expect(chooseSequence(prompt, sequences, ALONE)).toEqual({
      index: 2,
      copyFrom: { index: 1, tokens: start.length },
    })
  })

  it('waits for a busy sequence that has not evaluated the common prefix yet', () => {
    const sequences = [busy({ tokens: prompt, evaluated: 60 }), idle()]
    expect(chooseSequence(prompt, sequences, ALONE)).toBe('wait')
  })

  it('neither copies nor waits for a few tokens', () => {
    const sequences = [busy({ tokens: start.slice(0, 20), evaluated: 0 }), idle()]
    expect(chooseSequence(prompt, sequences, ALONE)).toEqual({ index: 1 })
  })

  it('neither copies nor waits when states cannot be copied', () => {
    const sequences = [busy({ tokens: prompt, evaluated: 0 }), idle()]
    expect(chooseSequence(prompt, sequences, { ...ALONE, canCopy: false })).toEqual({ index: 1 })
  })

  it('prefers an idle sequence to a copy of the same prefix', () => {
    const sequences = [busy({ tokens: prompt, lastUsed: 1 }), idle({ tokens: prompt, lastUsed: 2 })]
    expect(chooseSequence(prompt, sequences, ALONE)).toEqual({ index: 1 })
  })

  it('does not reuse the last tokens of a prompt', () => {
    const sequences = [busy({ tokens: prompt, evaluated: prompt.length }), idle()]
    expect(chooseSequence(prompt, sequences, ALONE)).toEqual({
      index: 1,
      copyFrom: { index: 0, tokens: prompt.length - 2 },
    })
    expect(chooseSequence(prompt, sequences, { ...ALONE, freshTokens: 1 })).toEqual({
      index: 1,
      copyFrom: { index: 0, tokens: prompt.length - 1 },
    })
  })
})
