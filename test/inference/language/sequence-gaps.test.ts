import {
  gapsWorthFilling,
  type SequenceState,
} from '../../../src/inference/language/sequence-gaps.js'

const STATES: Record<string, SequenceState> = { B: 'busy', e: 'ended', '.': 'idle' }

function gapsOf(sequences: string): number[] {
  return gapsWorthFilling(Array.from(sequences, (letter) => STATES[letter]!))
}

describe('gaps between busy sequences', () => {
  it.each([
    ['between runs of two and more', 'BBeBB', [2]],
    ['of several sequences', 'BBBeeBBB', [3, 4]],
    ['one after the other', 'BBeBBeBB', [2, 5]],
    ['between a long run and a single sequence', 'BBBBBBBeB', [7]],
    ['inside, and nothing outside', 'eBBeBBe', [3]],
  ])('are filled %s', (_, sequences, filled) => {
    expect(gapsOf(sequences)).toEqual(filled)
  })

  it.each([
    ['between two single sequences', 'BeB'],
    ['that are wider than two runs are worth', 'BBeeeeeeeeBB'],
    ['where a sequence in them has no answer to go on with', 'BBe.BB'],
    ['where all are busy', 'BBBB'],
    ['where none is busy', 'eee'],
  ])('are left %s', (_, sequences) => {
    expect(gapsOf(sequences)).toEqual([])
  })
})
