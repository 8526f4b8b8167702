import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import {
  loadOpenerGuidance,
  RERANKER_FEATURES,
} from '../../../src/inference/language/opener-guidance.js'

const DEFAULT_PROMPTS = 'models/smollm2-135m-openers/prompts'

describe('loadOpenerGuidance', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'guidance-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('returns no guidance for a folder without its files', async () => {
    expect(await loadOpenerGuidance('models/prompts/instruct')).toEqual({
      beginnings: {},
      reranker: undefined,
    })
  })

  it('loads the guidance of the default pack', async () => {
    const { beginnings, reranker } = await loadOpenerGuidance(DEFAULT_PROMPTS)
    expect(Object.keys(beginnings)).toHaveLength(5)
    expect(reranker?.sensible.weights.mean).toBeGreaterThan(0)
    expect(Object.keys(reranker?.sent.weights ?? {})).toEqual(RERANKER_FEATURES)
    expect(reranker?.fitted['data']).toMatch(/^sha256 [0-9a-f]{64}$/)
  })

  it.each(['{', '{"beginnings": ["Tell me"]}'])(
    'rejects a beginnings file of %s and names it',
    async (text) => {
      const file = path.join(folder, 'opener.beginnings.json')
      await writeFile(file, text)
      await expect(loadOpenerGuidance(folder)).rejects.toThrow('opener.beginnings.json')
      await rm(file)
    },
  )

  it('rejects a reranker with an unknown or a missing feature', async () => {
    const text = await readFile(path.join(DEFAULT_PROMPTS, 'opener.critic.json'), 'utf8')
    await writeFile(
      path.join(folder, 'opener.critic.json'),
      text.replace('"pronouns"', '"pronoun"'),
    )
    const error = await loadOpenerGuidance(folder).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'PromptError' })
    const { message } = error as Error
    expect(message).toContain('opener.critic.json')
    expect(message).toMatch(/Unknown feature: pronoun\n.*sensible\.weights/)
    expect(message).toMatch(/Missing feature: expected a number\n.*sensible\.weights\.pronouns/)
  })
})
