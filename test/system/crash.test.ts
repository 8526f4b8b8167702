import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { matchBody, openersBody } from './_profiles.js'
import { sleep, startServerProcess, type ServerProcess } from './_server-process.js'
import { describeWithWeights, MISSING_WEIGHTS } from '../_weights.js'

describeWithWeights('a worker that is killed under load', MISSING_WEIGHTS, () => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServerProcess()
  }, 180_000)
  afterAll(() => server?.close())

  it.each(['language', 'vision'] as const)(
    'fails only the calls in flight, with a 503 and Retry-After (%s)',
    async (role) => {
      const openers = await openersBody({ count: 1 })
      const statuses: number[] = []
      const retryAfters: (string | null)[] = []
      // A match takes about 50 ms, so more calls are needed for some to be in flight.
      const load = Array.from({ length: role === 'language' ? 6 : 24 }, async (_, i) => {
        await sleep(i * (role === 'language' ? 40 : 20))
        // Different bios keep calls from being answered from a cache.
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
      const killed = await server.workerPid(role)
      process.kill(killed, 'SIGKILL')
      await Promise.all(load)
      // Until the server notices that the worker ended, it may still send calls to it.
      while ((await server.workerPid(role)) === killed) await sleep(10)
      expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([])
      for (const retryAfter of retryAfters) expect(retryAfter).toMatch(/^[1-9]\d*$/)
      const next = await server.post('/v1/conversation/openers', openers)
      expect(next.status).toBe(200)
      expect((await fetch(`${server.baseUrl}/healthz`)).status).toBe(200)
    },
    60_000,
  )

  it('drains and exits with 0 on SIGTERM, without waiting for idle connections', async () => {
    const inFlight = server.post('/v1/conversation/openers', await openersBody())
    await sleep(150)
    const exitCode = server.stop()
    const answer = await inFlight
    expect(answer.status).toBe(200)
    await answer.arrayBuffer()
    // Connections are closed only 20 s after the signal.
    expect(await Promise.race([exitCode, sleep(10_000)])).toBe(0)
  }, 120_000)
})
