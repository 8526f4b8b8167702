import { describe, expect, it } from '@jest/globals'
import type { Category } from '../../../src/match/categories.js'
import { findProblems } from '../../../src/tools/checks/reasons/find-problems.js'

const placed = { file: 'a.jsonl', place: 'a.jsonl:7' }
const NOTHING = { entries: [], pairs: [], patterns: [] }
const GOOD = 'You both like museums, and read the labels to the very end.'

function problemsOf(text: string, entry = 'museums', category: Category = 'shared_hobbies') {
  const value = { entry, reasons: [text] }
  return findProblems({ ...NOTHING, entries: [{ ...placed, category, value }] })
}

describe('the check of match reasons', () => {
  it('passes other forms of the entry, and names of days', () => {
    expect(problemsOf(GOOD)).toEqual([])
    expect(problemsOf('A museum on a wet Sunday is a good plan for the two of you.')).toEqual([])
  })

  it.each([
    ['two sentences', 'You both like museums. You read every label there.', /one safe sentence/],
    ['a number', 'You both like museums, and could visit 3 of them in a day.', /one safe sentence/],
    ['no full stop', 'You both like museums, and read the labels to the very end', /safe sentence/],
    ['praise of looks', 'You both like museums, and you are both gorgeous there.', /safe sentence/],
    ['too few words', 'You both like museums.', /22 characters/],
    ['something else', 'You both like galleries, and read the labels to the end.', /name museums/],
    ['a name', 'You both like museums, and could meet in Paris to see one.', /names Paris/],
    ['one person', 'Museums are good places to read the labels to the very end.', /about both/],
    ['one side', 'One of you likes museums, and the other comes along to see.', /about both/],
  ])('reports %s with its line', (_what, text, message) => {
    expect(problemsOf(text).join('\n')).toMatch(/^a\.jsonl:7 \(museums\): /)
    expect(problemsOf(text).join('\n')).toMatch(message)
  })

  it.each([
    ['aesthetic_alignment', 'Both of you show a photo of a unicorn, hard to catch as they are.'],
    ['similar_goals', 'You both want to fly to the moon, and have packed a little too early.'],
  ] as const)('reports an entry that %s does not have', (category, text) => {
    expect(problemsOf(text, 'unicorn', category).join('\n')).toContain('no such tag or label')
  })

  it('reports what is there twice', () => {
    const line = { ...placed, category: 'shared_hobbies' as const }
    const entries = [
      { ...line, value: { entry: 'museums', reasons: [GOOD] } },
      { ...line, value: { entry: 'Museums', reasons: [`${GOOD.slice(0, -1)} .`] } },
    ]
    const problems = findProblems({ ...NOTHING, entries }).join('\n')
    expect(problems).toContain('Museums is there twice')
    expect(problems).toContain('there twice: You both like museums')
  })

  it('wants both entries of a pair named', () => {
    const pair: [string, string] = ['early riser', 'night owl']
    const reasons = ['The early riser sees the sun come up, and somebody else the stars.']
    const problems = findProblems({ ...NOTHING, pairs: [{ ...placed, value: { pair, reasons } }] })
    expect(problems).toEqual([
      `a.jsonl:7 (early riser and night owl): does not name night owl: ${reasons[0]}`,
    ])
  })

  it.each([
    ['different-interests', 'One of you is into {a}, so the other may ask about it.'],
    ['nothing-photos', 'Your photos of {a} and {b} have something of the same mood.'],
  ] as const)('wants each placeholder once, or none: %s', (pattern, text) => {
    const patterns = [{ ...placed, value: { pattern, reasons: [text] } }]
    expect(findProblems({ ...NOTHING, patterns })).toEqual([
      expect.stringContaining(`a.jsonl:7 (${pattern}): has not`),
    ])
  })

  it('passes a pattern with an entry of each person', () => {
    const reasons = ['One of you is into {a} and the other into {b}, and both can be explained.']
    const value = { pattern: 'different-interests' as const, reasons }
    expect(findProblems({ ...NOTHING, patterns: [{ ...placed, value }] })).toEqual([])
  })
})
