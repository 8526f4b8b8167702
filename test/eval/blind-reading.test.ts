import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  composeReading,
  WRITTEN_BY_HAND,
  type ReadProfile,
} from '../../src/tools/eval/reading/blind-reading.js'
import { readGrades } from '../../src/tools/eval/reading/reader-grades.js'
import { scoreReading } from '../../src/tools/eval/reading/score-reading.js'
import { fleissKappa } from '../../src/tools/statistics/fleiss-kappa.js'

const SOURCES = ['now-4711', 'earlier-4711', WRITTEN_BY_HAND]

/** Profiles with one message of each source. */
function makeProfiles(count: number): ReadProfile[] {
  return Array.from({ length: count }, (_, i) => ({
    recipient: {
      name: 'Ada',
      bio: `Bakes\nbread ${i}`,
      photos: ['oven'],
      interests: [],
      lifestyle: [],
    },
    senderLikes: ['tea'],
    texts: SOURCES.map((source) => ({
      source,
      style: 'open_question' as const,
      text: `Text ${i} of ${source.length} characters?`,
    })),
  }))
}

describe('a blind reading', () => {
  const { sheet, key } = composeReading(makeProfiles(40), 1)

  it('hides who wrote what, in an order that differs among profiles', () => {
    for (const source of SOURCES) expect(sheet).not.toContain(source)
    const orders = new Set(
      Array.from({ length: 40 }, (_, i) =>
        key.messages
          .filter(({ profile }) => profile === i + 1)
          .map(({ source }) => source)
          .join(),
      ),
    )
    expect(orders.size).toBe(6)
  })

  it('shows each message once, under its number and its profile', () => {
    expect(key.messages.map(({ number }) => number)).toEqual(
      Array.from({ length: 120 }, (_, i) => i + 1),
    )
    for (const { number, text } of key.messages) {
      expect(sheet).toContain(`\n${number} [open_question] ${text}\n`)
    }
    expect(sheet).toContain('Bio: Bakes bread 7\nPhotos show: oven\nThe sender likes: tea\n')
  })

  it('is the same for the same seed', () => {
    expect(composeReading(makeProfiles(40), 1).sheet).toBe(sheet)
    expect(composeReading(makeProfiles(40), 2).sheet).not.toBe(sheet)
  })
})

describe('the grades of readers', () => {
  const { key } = composeReading(makeProfiles(2), 1)
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'profile-service-reading-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const read = (content: string) => {
    const file = path.join(folder, 'ann.txt')
    writeFileSync(file, content)
    return readGrades(file, key)
  }

  it('are read in any letter case, with what is invented and what is best', () => {
    const grades = read('# Profile 1\n1 s\n2 O\n3 X i\nbest 1\n\n4 O\n5 o i\n6 S\nBest: 6\n')
    expect(grades.reader).toBe('ann')
    expect([...grades.judged.values()].map(({ grade }) => grade).join('')).toBe('SOXOOS')
    expect(grades.judged.get(3)).toEqual({ grade: 'X', invents: true })
    expect([...grades.best]).toEqual([1, 6])
  })

  it('are refused when a message has none, has two, or does not exist', () => {
    expect(() => read('1 S\n1 O\n9 S\nfine\n2 O\n3 O\n4 O\n5 O')).toThrow(
      /line 2: message 1 has two grades\n.*line 3: there is no message 9\n.*line 4: is neither.*\n.*1 messages, the first of them 6/,
    )
  })
})

describe('the score of a reading', () => {
  const { key } = composeReading(makeProfiles(10), 1)
  /** A reader who grades each source the same everywhere. */
  const reader = (name: string, bySource: Record<string, 'S' | 'O' | 'X'>) => ({
    reader: name,
    judged: new Map(
      key.messages.map(({ number, source }) => [
        number,
        { grade: bySource[source]!, invents: source === 'earlier-4711' },
      ]),
    ),
    best: new Set(
      key.messages.filter(({ source }) => source === WRITTEN_BY_HAND).map(({ number }) => number),
    ),
  })
  const ann = reader('ann', { 'now-4711': 'S', 'earlier-4711': 'X', [WRITTEN_BY_HAND]: 'S' })
  const bob = reader('bob', { 'now-4711': 'O', 'earlier-4711': 'X', [WRITTEN_BY_HAND]: 'S' })
  const { sources, agreement } = scoreReading(key, [ann, bob], 1)
  const of = (source: string) => sources.find((score) => score.source === source)!

  it('says how much of each source would be sent, makes sense and invents', () => {
    expect(of('now-4711').sent.value).toBe(0.5)
    expect(of('now-4711').sentByReader).toEqual([1, 0])
    expect(of('now-4711').sensible.value).toBe(1)
    expect(of('earlier-4711').sensible.value).toBe(0)
    expect(of('earlier-4711').invents.value).toBe(1)
    expect(of(WRITTEN_BY_HAND).best.value).toBe(1)
    expect(sources.map(({ source }) => source)).toEqual([
      WRITTEN_BY_HAND,
      'now-4711',
      'earlier-4711',
    ])
  })

  it('compares sources with each other, ties counted half', () => {
    expect(of('now-4711').preferredTo).toMatchObject({
      'earlier-4711': { value: 1 },
      [WRITTEN_BY_HAND]: { value: 0.25 },
    })
  })

  it('says how far the readers agree beyond chance', () => {
    expect(agreement.sensible).toBe(1)
    expect(agreement.sent).toBeCloseTo(1 / 3)
  })

  it('agrees with a published example of the kappa', () => {
    // Two raters, 50 subjects: 20 both yes, 15 both no, 15 divided. Scott's pi, which it equals for two raters, is 0.394.
    const ratings = [
      ...Array.from({ length: 20 }, () => [true, true]),
      ...Array.from({ length: 15 }, () => [false, false]),
      ...Array.from({ length: 15 }, (_, i) => (i < 5 ? [true, false] : [false, true])),
    ]
    expect(fleissKappa(ratings)).toBeCloseTo(0.394, 3)
  })
})
