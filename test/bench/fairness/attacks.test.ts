import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { ATTACK_NAMES } from '../../../src/tools/bench/fairness/attack-names.js'
import type { AttackInput, AttackOutput } from '../../../src/tools/bench/fairness/attack-process.js'
import { selectAttacks } from '../../../src/tools/bench/fairness/all-attacks.js'
import { startChildTask } from '../../../src/tools/bench/fairness/child-task.js'
import { readRateLimits } from '../../../src/tools/bench/fairness/fairness-service.js'
import { answerAtOnce, startStandIn, until, type StandInServer } from './_stand-in.js'

const ATTACK_PROCESS = new URL(
  '../../../dist/tools/bench/fairness/attack-process.js',
  import.meta.url,
)

let server: StandInServer
beforeAll(async () => {
  server = await startStandIn(answerAtOnce)
})
beforeEach(() => {
  server.received.length = 0
})
afterAll(() => server.close())

const start = (name: AttackInput['name']) => {
  const target = {
    baseUrl: server.baseUrl,
    apiKey: 'sk_live_attacker',
    requestsPerMinute: readRateLimits(),
  }
  return startChildTask<AttackOutput>(ATTACK_PROCESS, { name, target } satisfies AttackInput)
}

describe('the attacks', () => {
  it('are at least ten, each with a definition of its own', () => {
    const attacks = selectAttacks()
    expect(attacks.map(({ name }) => name)).toEqual(ATTACK_NAMES)
    expect(new Set(attacks.map(({ describe: text }) => text)).size).toBe(attacks.length)
    expect(attacks.filter(({ name }) => name !== 'control').length).toBeGreaterThanOrEqual(10)
  })

  it('can be selected, and run in their own order', () => {
    const names = selectAttacks(['wrong-keys', 'openers']).map(({ name }) => name)
    expect(names).toEqual(['openers', 'wrong-keys'])
  })

  it.each(ATTACK_NAMES.filter((name) => name !== 'control'))(
    'reach the service, and leave no connection behind: %s',
    async (name) => {
      const attack = await start(name)
      await until(() => server.received.length >= 2)
      const { outcomes } = await attack.stop()
      const requests = Object.values(outcomes).reduce((sum, count) => sum + count, 0)
      expect(requests).toBeGreaterThan(0)
      await until(() => server.openSockets.size === 0)
    },
    60_000,
  )

  it('have a control that sends nothing', async () => {
    const attack = await start('control')
    expect((await attack.stop()).outcomes).toEqual({})
    expect(server.received).toEqual([])
  })
})
