import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from '@jest/globals'
import { createTextCache } from '../../src/text/text-cache.js'

/** Builds the texts at run time, so that the snapshot has them only if a cache keeps them. */
const EMBED_AND_ASSESS = `
  import { writeHeapSnapshot } from 'node:v8'
  import { createPhraseSafety } from './dist/safety/phrase-safety.js'
  import { createTextSimilarity } from './dist/profile/text-similarity.js'
  const embedTexts = async (texts) => texts.map(() => Float32Array.of(0.6, 0.8))
  const vision = { embedTexts, embedCaptions: embedTexts, revision: () => 'fake' }
  const call = { signal: new AbortController().signal }
  const similarity = await createTextSimilarity(vision, ['one', 'two'], call)
  const isSafePhrase = createPhraseSafety()
  await similarity.embed([['keeps', 'newts', 'in', 'jars'].join(' ')], call)
  isSafePhrase(['collects', 'pewter', 'thimbles'].join(' '))
  // The regular expression engine keeps the last text that it matched against.
  isSafePhrase('chess')
  writeHeapSnapshot(process.argv[1])
  globalThis.inUse = [similarity, isSafePhrase]
`

describe('the text cache', () => {
  it('finds a value by the same text only', () => {
    const cache = createTextCache<number>()
    cache.set('keeps bees', 7)
    expect([cache.get('keeps bees'), cache.get('keeps bee')]).toEqual([7, undefined])
  })

  it('keeps no text in memory', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'heap-'))
    try {
      const file = path.join(folder, 'service.heapsnapshot')
      await promisify(execFile)(process.execPath, [
        '--input-type=module',
        '--eval',
        EMBED_AND_ASSESS,
        file,
      ])
      const heap = await readFile(file, 'utf8')
      expect(heap).toContain('thimbles')
      expect(heap.includes('newts in jars')).toBe(false)
      expect(heap.includes('pewter thimbles')).toBe(false)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }, 60_000)
})
