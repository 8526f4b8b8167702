import {
  gapsWorthFilling,
  type SequenceState,
} from '../../../src/inference/language/sequence-gaps.js'

const STATES: Record<string, SequenceState> = { B: 'busy', e: 'ended', '.': 'idle' }

function gapsOf(sequences: string): number[] {
  return gapsWorthFilling(Array.from(sequences, (letter) => STATES[letter]!))
}

describe('gapsWorthFilling', () => {
  it.each([
    ['between runs of two and more', 'BBeBB', [2]],
    ['of several sequences', 'BBBeeBBB', [3, 4]],
    ['that follow each other', 'BBeBBeBB', [2, 5]],
    ['between a long run and a single sequence', 'BBBBBBBeB', [7]],
    ['between busy sequences, and none outside them', 'eBBeBBe', [3]],
  ])('fills gaps %s', (_, sequences, filled) => {
    expect(gapsOf(sequences)).toEqual(filled)
  })

  it.each([
    ['between two single sequences', 'BeB'],
    ['that cost more to fill than a second run', 'BBeeeeeeeeBB'],
    ['that contain a sequence without an answer to pad', 'BBe.BB'],
    ['when all sequences are busy', 'BBBB'],
    ['when no sequence is busy', 'eee'],
  ])('leaves gaps %s', (_, sequences) => {
    expect(gapsOf(sequences)).toEqual([])
  })
})
