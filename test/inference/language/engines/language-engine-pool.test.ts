import { afterEach, describe, expect, it } from '@jest/globals'
import type { EngineName } from '../../../../src/config/language-engine-settings.js'
import { until } from '../../workers/_fixture-host.js'
import { startFakeEngine, type FakeBehaviour, type FakeEngine } from './_fake-engine.js'
import { engineCall, engineRequest, openFixtureHost } from './_fixture-engine-host.js'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

async function open(
  count: number,
  changes: Partial<FakeBehaviour> = {},
  name: EngineName = 'vllm',
) {
  const engines: FakeEngine[] = []
  for (let i = 0; i < count; i++) engines.push(await startFakeEngine(name, changes))
  const fixture = openFixtureHost(name, engines)
  closers.push(fixture.host.close, ...engines.map(({ kill }) => kill))
  await fixture.host.start()
  const all = `${name}, ${count} of ${count} engines`
  await until(() => fixture.host.info()?.device === all)
  const generate = (call = engineCall()) => fixture.host.call('generate', engineRequest(), call)
  return { engines, ...fixture, generate }
}

const countOf = ({ requests }: FakeEngine) => requests.length

describe('a pool of language engines', () => {
  it('sends all texts of a request to one engine', async () => {
    const { engines, generate } = await open(3)
    const call = engineCall()
    await Promise.all(Array.from({ length: 12 }, () => generate(call)))
    expect(engines.map(countOf).sort((a, b) => a - b)).toEqual([0, 0, 12])
  })

  it('spreads requests by what each engine has in hand', async () => {
    const { engines, generate } = await open(2, { delayMs: 100 })
    await Promise.all(Array.from({ length: 10 }, () => generate()))
    // With two engines both are compared every time.
    expect(engines.map(countOf)).toEqual([5, 5])
  })

  it('sends a call to another engine when a connection breaks', async () => {
    const { engines, generate, events } = await open(2, { delayMs: 200 })
    const calls = Array.from({ length: 8 }, () => generate())
    await until(() => engines.every(({ requests }) => requests.length > 0))
    await engines[0]!.kill()
    for (const call of calls) expect(await call).toMatchObject({ text: 'An answer.' })
    expect(events).toContain('retry')
    expect(events.filter((event) => event === '1 ejected')).toHaveLength(1)
  })

  it('ejects an engine after three failures in a row, and takes it back when it works again', async () => {
    const { engines, host, generate, events } = await open(2)
    const [bad, good] = engines as [FakeEngine, FakeEngine]
    bad.behaviour.status = 500
    while (!events.includes('1 ejected'))
      expect(await generate()).toMatchObject({ text: 'An answer.' })
    expect(bad.requests).toHaveLength(3)
    expect(host.state()).toBe('ready')
    expect(host.info()?.device).toBe('vllm, 1 of 2 engines')
    const before = countOf(good)
    for (let i = 0; i < 4; i++) await generate()
    expect(countOf(good)).toBe(before + 4)
    bad.behaviour.status = 200
    await until(() => host.info()?.device === 'vllm, 2 of 2 engines')
  })

  it('answers overloaded when the engines have no room, and keeps them', async () => {
    const { engines, host, generate } = await open(2)
    for (const { behaviour } of engines) behaviour.status = 503
    for (let i = 0; i < 4; i++) {
      await expect(generate()).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 })
    }
    expect(host.info()?.device).toBe('vllm, 2 of 2 engines')
    for (const { behaviour } of engines) behaviour.status = 200
    expect(await generate()).toMatchObject({ text: 'An answer.' })
  })

  it('answers model_unavailable at once when all engines are away, and comes back', async () => {
    const { engines, host, generate } = await open(2)
    for (const engine of engines) await engine.kill()
    await until(() => host.state() === 'restarting')
    const startedAt = performance.now()
    await expect(generate()).rejects.toMatchObject({ code: 'model_unavailable', status: 503 })
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    expect(host.problem()).toMatch(/engine 1 of 2: .+; engine 2 of 2: /)
    await engines[1]!.revive()
    await until(() => host.state() === 'ready')
    expect(await generate()).toMatchObject({ text: 'An answer.' })
  })

  it('ejects an engine that comes back with another model', async () => {
    const { engines, host, generate } = await open(1)
    const [engine] = engines as [FakeEngine]
    await engine.kill()
    engine.behaviour.model = 'another'
    await engine.revive()
    await until(() => host.problem()?.includes('another') === true)
    expect(host.state()).toBe('restarting')
    await expect(generate()).rejects.toMatchObject({ code: 'model_unavailable' })
    expect(engine.requests).toEqual([])
  })

  it('asks again when only a connection broke', async () => {
    const { engines, generate, events } = await open(1, { delayMs: 200 }, 'llama-server')
    const [engine] = engines as [FakeEngine]
    const call = generate()
    await until(() => engine.requests.length === 1)
    await engine.kill()
    await engine.revive()
    expect(await call).toMatchObject({ text: 'An answer.' })
    expect(events).toContain('retry')
  })

  it('closes the connection when the caller leaves, and does not blame the engine', async () => {
    const { engines, host, generate, events } = await open(1, { delayMs: 300 })
    const leaving = new AbortController()
    const call = generate(engineCall({ signal: leaving.signal }))
    await until(() => engines[0]!.requests.length === 1)
    leaving.abort()
    await expect(call).rejects.toThrow('aborted')
    await until(() => engines[0]!.aborted() === 1)
    await until(() => host.load().running === 0)
    expect(events).toEqual(['1 ready'])
  })

  it('closes the connection at the deadline', async () => {
    const { engines, generate } = await open(1, { delayMs: 2_000 })
    await expect(generate(engineCall({ deadline: Date.now() + 200 }))).rejects.toMatchObject({
      code: 'overloaded',
    })
    await until(() => engines[0]!.aborted() === 1)
  })

  it('leaves an engine that does not answer in time for another one before the deadline', async () => {
    const { engines, generate } = await open(2)
    engines[0]!.behaviour.delayMs = 10_000
    engines[1]!.behaviour.delayMs = 10
    const calls = Array.from({ length: 4 }, () =>
      generate(engineCall({ deadline: Date.now() + 4_000 })),
    )
    for (const call of calls) expect(await call).toMatchObject({ text: 'An answer.' })
    expect(countOf(engines[0]!)).toBeGreaterThan(0)
  })

  it('limits the texts in generation', async () => {
    const engine = await startFakeEngine('vllm', { delayMs: 100 })
    const settings = {
      urls: [engine.url],
      engine: 'vllm',
      model: 'openers',
      concurrency: 2,
    } as const
    const { host } = openFixtureHost('vllm', [engine], { settings })
    closers.push(host.close, engine.kill)
    await host.start()
    const calls = Array.from({ length: 5 }, () =>
      host.call('generate', engineRequest(), engineCall()),
    )
    await until(() => engine.requests.length === 2)
    expect(host.load()).toEqual({ running: 2, waiting: 3 })
    await Promise.all(calls)
  })

  it('refuses calls after it was closed', async () => {
    const { host, generate } = await open(1)
    await host.close()
    expect(host.state()).toBe('closed')
    await expect(generate()).rejects.toMatchObject({ code: 'model_unavailable' })
  })
})
