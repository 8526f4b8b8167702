import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { readExemplars } from '../../../src/openers/exemplars/read-exemplars.js'

const GROUP = {
  when: { photos: [['husky']] },
  openers: [
    { style: 'photo_callback', tones: ['playful'], text: 'Your husky looks busy judging.' },
  ],
}

let folder: string

beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'exemplars-'))
})

afterEach(() => fs.rm(folder, { recursive: true }))

const write = (name: string, ...lines: string[]) =>
  fs.writeFile(path.join(folder, name), lines.join('\n'))

describe('reading exemplars', () => {
  it('reads the groups of all files in the order of their names', async () => {
    const other = { ...GROUP, means: 'second' }
    await write('b.jsonl', JSON.stringify(other), '')
    await write('a.jsonl', JSON.stringify(GROUP))
    await write('README.md', 'not exemplars')
    expect(readExemplars(folder)).toEqual([GROUP, other])
  })

  it('reads nothing where there is no folder', () => {
    expect(readExemplars(path.join(folder, 'missing'))).toEqual([])
  })

  it.each([
    ['not JSON', '{', /a\.jsonl:2: not a JSON object/],
    ['without a condition', { ...GROUP, when: {} }, /a\.jsonl:2: when: at least one condition/],
    [
      'with an emoji in place of a word, which would hold for every bio',
      { ...GROUP, when: { bio: [{ any: ['cactus', '🌵'] }] } },
      /a\.jsonl:2: when\.bio\.0\.any\.1: has no word/,
    ],
    [
      'with precisions for some of its words',
      { ...GROUP, when: { bio: [{ any: ['cactus', 'cacti'], precision: [9] }] } },
      /a\.jsonl:2: when\.bio\.0: `precision` needs a number for each of `any`/,
    ],
    ['with a misspelt field', { ...GROUP, texts: [] }, /a\.jsonl:2: line: .*texts/],
    [
      'with an unknown style',
      { ...GROUP, openers: [{ ...GROUP.openers[0], style: 'witty' }] },
      /a\.jsonl:2: openers\.0\.style/,
    ],
  ])('names the place of a line %s', async (_what, line, message) => {
    const text = typeof line === 'string' ? line : JSON.stringify(line)
    await write('a.jsonl', JSON.stringify(GROUP), text)
    expect(() => readExemplars(folder)).toThrow(message)
  })
})
