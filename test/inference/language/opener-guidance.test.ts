import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { loadOpenerGuidance } from '../../../src/inference/language/opener-guidance.js'

describe('the guidance of a pack', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'guidance-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('may be missing', async () => {
    expect(await loadOpenerGuidance('models/prompts/instruct')).toEqual({
      beginnings: {},
      critic: undefined,
    })
  })

  it('comes with the default pack, with weights for features the critic knows', async () => {
    const { beginnings, critic } = await loadOpenerGuidance('models/smollm2-135m-openers/prompts')
    expect(Object.keys(beginnings)).toHaveLength(5)
    expect(critic?.sensible.weights['mean']).toBeGreaterThan(0)
    expect(Object.keys(critic?.sent.weights ?? {})).toEqual(
      Object.keys(critic?.sensible.weights ?? {}),
    )
    expect(critic?.fitted['data']).toMatch(/^sha256 [0-9a-f]{64}$/)
  })

  it.each(['{', '{"beginnings": ["Tell me"]}'])(
    'is refused by name when it is %s',
    async (text) => {
      await writeFile(path.join(folder, 'opener.beginnings.json'), text)
      await expect(loadOpenerGuidance(folder)).rejects.toThrow('opener.beginnings.json')
    },
  )
})
