import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { matchBody, openersBody } from './_profiles.js'
import {
  MISSING_WEIGHTS,
  sleep,
  startServerProcess,
  type ServerProcess,
} from './_server-process.js'

const describeWithWeights = MISSING_WEIGHTS.length === 0 ? describe : describe.skip

describeWithWeights('a worker that is killed under load', () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServerProcess()
  }, 120_000)
  afterAll(() => server?.close())

  it.each(['language', 'vision'] as const)(
    'costs the calls in flight a 503 with Retry-After and nothing else (%s)',
    async (role) => {
      const openers = await openersBody()
      const statuses: number[] = []
      const retryAfters: (string | null)[] = []
      const load = Array.from({ length: 6 }, async (_, i) => {
        await sleep(i * 40)
        // A bio of its own keeps every call from being answered out of a cache.
        const answer =
          role === 'language'
            ? await server.post('/v1/conversation/openers', openers)
            : await server.post(
                '/v1/match/evaluate',
                await matchBody({ bio: `Bio ${i} of a walker.` }),
              )
        await answer.arrayBuffer()
        statuses.push(answer.status)
        if (answer.status === 503) retryAfters.push(answer.headers.get('retry-after'))
      })
      await sleep(300)
      process.kill(await server.workerPid(role), 'SIGKILL')
      await Promise.all(load)
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
      for (const retryAfter of retryAfters) expect(retryAfter).toMatch(/^[1-9]\d*$/)
      const next = await server.post('/v1/conversation/openers', openers)
      expect(next.status).toBe(200)
      expect((await fetch(`${server.baseUrl}/healthz`)).status).toBe(200)
    },
    60_000,
  )

  it('drains and ends with 0 on SIGTERM', async () => {
    const inFlight = server.post('/v1/conversation/openers', await openersBody())
    await sleep(150)
    const exitCode = server.stop()
    expect((await inFlight).status).toBe(200)
    expect(await exitCode).toBe(0)
  }, 60_000)
})
