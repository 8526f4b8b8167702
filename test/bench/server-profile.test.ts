import { pathToFileURL } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import { callTree, prune, selfTimes } from '../../scripts/bench/server-profile.js'

const distFile = (file: string) => pathToFileURL(`dist/${file}`).href
const packageFile = (file: string) => pathToFileURL(`node_modules/${file}`).href

/** `evaluate` calls a package, whose two functions call a built-in one; the process is idle in between. */
const profile = {
  nodes: [
    { id: 1, callFrame: { functionName: '(root)', url: '' }, children: [2, 6, 7] },
    {
      id: 2,
      callFrame: { functionName: 'evaluate', url: distFile('match/use-case.js') },
      children: [3],
    },
    {
      id: 3,
      callFrame: { functionName: 'parse', url: packageFile('zod/v4/core/parse.js') },
      children: [4],
    },
    {
      id: 4,
      callFrame: { functionName: '_run', url: packageFile('zod/v4/core/schemas.js') },
      children: [5],
    },
    { id: 5, callFrame: { functionName: 'exec', url: '' } },
    { id: 6, callFrame: { functionName: '(idle)', url: '' } },
    { id: 7, callFrame: { functionName: '(garbage collector)', url: '' } },
  ],
  samples: [2, 3, 4, 5, 6, 7, 2],
  timeDeltas: [1_000, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000],
}

describe('a profile of the server process', () => {
  it('makes one frame of a package with all that it calls without leaving it', () => {
    const [evaluate] = callTree(profile).children
    expect(evaluate).toMatchObject({ name: 'evaluate match/use-case', part: 'src/match/' })
    expect(evaluate?.children).toEqual([
      { name: 'zod', part: 'zod', selfMs: 2 + 3 + 4, totalMs: 9, children: [] },
    ])
  })

  it('leaves out what is idle', () => {
    expect(callTree(profile).totalMs).toBe(1 + 9 + 6)
  })

  it('takes a process that is held up for longer than a sample lasts for busy no longer', () => {
    const timeDeltas = profile.timeDeltas.with(6, 300_000)
    expect(callTree({ ...profile, timeDeltas }).totalMs).toBe(1 + 9 + 10)
  })

  it('leaves out what came before the server was ready', () => {
    expect(callTree(profile, { fromMs: 11 }).totalMs).toBe(6)
  })

  it('tells the time of each part without what it called, the longest first', () => {
    expect(selfTimes(callTree(profile))).toEqual([
      ['zod', 9],
      ['garbage collection', 6],
      ['src/match/', 1],
    ])
  })

  it('draws nothing that is too short to be seen', () => {
    const names = prune(callTree(profile), 7).children.map(({ name }) => name)
    expect(names).toEqual(['evaluate match/use-case'])
  })
})
