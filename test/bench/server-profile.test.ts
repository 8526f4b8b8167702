import { pathToFileURL } from 'node:url'
import { describe, expect, it } from '@jest/globals'
import {
  buildCallTree,
  pruneTree,
  sumSelfTimes,
} from '../../src/tools/bench/service/server-profile.js'

const distFile = (file: string) => pathToFileURL(`dist/${file}`).href
const packageFile = (file: string) => pathToFileURL(`node_modules/${file}`).href

/** `evaluate` calls a package, whose functions call a built-in one; later the process is idle. */
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
  it('merges calls within a package into one frame', () => {
    const [evaluate] = buildCallTree(profile).children
    expect(evaluate).toMatchObject({ name: 'evaluate match/use-case', part: 'src/match/' })
    expect(evaluate?.children).toEqual([
      { name: 'zod', part: 'zod', selfMs: 2 + 3 + 4, totalMs: 9, children: [] },
    ])
  })

  it('omits idle time', () => {
    expect(buildCallTree(profile).totalMs).toBe(1 + 9 + 6)
  })

  it('limits the time of a sample when the process was suspended', () => {
    const timeDeltas = profile.timeDeltas.with(6, 300_000)
    expect(buildCallTree({ ...profile, timeDeltas }).totalMs).toBe(1 + 9 + 10)
  })

  it('omits the time before the server was ready', () => {
    expect(buildCallTree(profile, { fromMs: 11 }).totalMs).toBe(6)
  })

  it('sums the self time of each part, longest first', () => {
    expect(sumSelfTimes(buildCallTree(profile))).toEqual([
      ['zod', 9],
      ['garbage collection', 6],
      ['src/match/', 1],
    ])
  })

  it('prunes frames that are too short to see', () => {
    const names = pruneTree(buildCallTree(profile), 7).children.map(({ name }) => name)
    expect(names).toEqual(['evaluate match/use-case'])
  })
})
