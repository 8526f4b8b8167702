import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { Finding } from '../../src/tools/fuzz/finding.js'
import type { OpenTarget, Outcome } from '../../src/tools/fuzz/fuzz-target.js'
import { createTarget } from '../../src/tools/fuzz/run-target.js'

const CEILINGS = { refused: 10, answered: 100 }

describe('fuzzing a target', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'profile-service-fuzz-test-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  /** @param more - `attempt` gets whole numbers up to 1000 */
  const run = (more: Partial<OpenTarget<number>>, options: { seed?: number; path?: string } = {}) =>
    createTarget<number>('numbers', async () => ({
      inputs: fc.nat(1_000),
      ceilings: CEILINGS,
      readCpuMs: () => 0,
      attempt: async () => 'refused' as Outcome,
      ...more,
    })).run(
      { service: () => Promise.reject(new Error('not needed')) },
      { seconds: 0.3, seed: 1, folder, print: () => {}, ...options },
    )

  const failFrom = (lowest: number) => async (input: number) => {
    if (input >= lowest) throw new Finding('too large')
    return 'answered' as Outcome
  }

  it('counts inputs and finds nothing where nothing is wrong', async () => {
    const result = await run({})
    expect(result.findings).toEqual([])
    expect(result.inputs).toBeGreaterThan(10)
  })

  it('saves the smallest input of a finding and how to repeat it', async () => {
    const { findings } = await run({ attempt: failFrom(300) })
    const text = await readFile(findings[0]!, 'utf8')
    expect(text).toMatch(/^too large\n/)
    expect(text).toMatch(/Input:\n300\n$/)
    const [, seed, position] = /--seed (\d+) --path (\S+)/.exec(text)!
    const again = await run({ attempt: failFrom(300) }, { seed: Number(seed), path: position! })
    expect(again.findings).toHaveLength(1)
  })

  it('gives the same inputs for the same seed', async () => {
    const seen: number[][] = []
    for (let i = 0; i < 2; i++) {
      const inputs: number[] = []
      seen.push(inputs)
      await run({ attempt: async (input) => (inputs.push(input), 'answered') })
    }
    const shared = Math.min(...seen.map(({ length }) => length))
    expect(seen[0]!.slice(0, shared)).toEqual(seen[1]!.slice(0, shared))
  })

  it('finds an input that is slow every time, by the ceiling of its outcome', async () => {
    let cpuMs = 0
    const attempt = async (): Promise<Outcome> => {
      cpuMs += 50
      return 'refused'
    }
    const slow = await run({ readCpuMs: () => cpuMs, attempt })
    expect(await readFile(slow.findings[0]!, 'utf8')).toContain('the ceiling is 10 ms')
    const answered = await run({
      readCpuMs: () => cpuMs,
      attempt: async () => (await attempt()) && 'answered',
    })
    expect(answered.findings).toEqual([])
  })

  it('forgives an input that is slow once', async () => {
    let cpuMs = 0
    let attempts = 0
    const result = await run({
      readCpuMs: () => cpuMs,
      attempt: async () => {
        if (attempts++ % 2 === 0) cpuMs += 50
        return 'refused'
      },
    })
    expect(result.findings).toEqual([])
  })

  it('waits for an answer that is missing when the time is over', async () => {
    const result = await run({
      attempt: () =>
        new Promise((_resolve, reject) => setTimeout(() => reject(new Finding('no answer')), 500)),
    })
    expect(await readFile(result.findings[0]!, 'utf8')).toMatch(/^no answer/)
  })
})
