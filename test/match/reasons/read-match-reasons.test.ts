import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { readConfig } from '../../../src/config/config.js'
import { readMatchReasons } from '../../../src/match/reasons/read-match-reasons.js'

const TEA = { entry: 'tea', reasons: ['You both like tea.'] }
const OWL = { pair: ['early riser', 'night owl'], reasons: ['An early riser and a night owl.'] }

let folder: string

beforeEach(async () => {
  folder = await fs.mkdtemp(path.join(os.tmpdir(), 'match-reasons-'))
})

afterEach(() => fs.rm(folder, { recursive: true }))

const write = (name: string, ...lines: unknown[]) =>
  fs.writeFile(path.join(folder, name), lines.map((line) => JSON.stringify(line)).join('\n'))

describe('reading match reasons', () => {
  it('takes the category from the name of the file', async () => {
    await write('shared-hobbies-ours.jsonl', TEA)
    await write('similar-goals.jsonl', { ...TEA, entry: 'want a slower life' })
    await write('lifestyle-fit.jsonl', { ...TEA, entry: 'calm' })
    await write('lifestyle-fit-pairs.jsonl', OWL)
    await fs.writeFile(path.join(folder, 'README.md'), 'no reasons')
    const { entries, pairs } = readMatchReasons(folder)
    expect(entries.map(({ category, value }) => [category, value.entry])).toEqual([
      ['lifestyle_fit', 'calm'],
      ['shared_hobbies', 'tea'],
      ['similar_goals', 'want a slower life'],
    ])
    expect(pairs).toEqual([
      { value: OWL, file: 'lifestyle-fit-pairs.jsonl', place: 'lifestyle-fit-pairs.jsonl:1' },
    ])
  })

  it('reads files with longer names later', async () => {
    await write('shared-hobbies-ours.jsonl', TEA)
    await write('shared-hobbies.jsonl', { ...TEA, entry: 'chess' })
    const { entries } = readMatchReasons(folder)
    expect(entries.map(({ value }) => value.entry)).toEqual(['chess', 'tea'])
  })

  it('reads nothing where there is no folder', () => {
    expect(readMatchReasons(path.join(folder, 'missing'))).toEqual({
      entries: [],
      pairs: [],
      patterns: [],
    })
  })

  it.each([
    ['shared-hobbies.jsonl', { ...TEA, reasons: [] }, /shared-hobbies\.jsonl:2: reasons/],
    ['shared-hobbies.jsonl', { ...TEA, texts: [] }, /shared-hobbies\.jsonl:2: line: .*texts/],
    ['shared-hobbies.jsonl', OWL, /shared-hobbies\.jsonl:2: entry/],
  ])('names the place of a bad line in %s: %j', async (file, line, message) => {
    await write(file, TEA, line)
    expect(() => readMatchReasons(folder)).toThrow(message)
  })

  it('names a file of no category', async () => {
    await write('hobbies.jsonl', TEA)
    expect(() => readMatchReasons(folder)).toThrow(/hobbies\.jsonl: its name must begin with/)
  })

  it('is switched off by MATCH_REASONS_DIR=none', () => {
    const dirOf = (env: Record<string, string>) =>
      readConfig({ ENV_FILE: '', ...env }).matchReasonsDir
    expect(dirOf({ MATCH_REASONS_DIR: 'none' })).toBeUndefined()
    expect(dirOf({ MATCH_REASONS_DIR: folder })).toBe(folder)
    expect(dirOf({ MODELS_DIR: folder })).toBe(path.join(folder, 'match-reasons'))
  })
})
