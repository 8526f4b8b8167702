import type { InferenceCall } from '../../../src/inference/inference-call.js'
import { isAlive, patientCall, until, useFixtureHosts, type FixtureHost } from './_fixture-host.js'

describe('createModelHost', () => {
  const open = useFixtureHosts()

  async function openReady(options?: Parameters<typeof open>[0]) {
    const host = open(options)
    await host.start()
    return host
  }

  const slow = (host: FixtureHost, ms: number, call: Partial<InferenceCall> = {}) => {
    const answer = host.call('slow', ms, patientCall(call))
    answer.catch(() => {})
    return answer
  }

  it('starts its worker and answers calls', async () => {
    const host = open()
    expect([host.state(), host.info()]).toEqual(['unloaded', undefined])

    const started = host.start()
    expect(host.state()).toBe('starting')
    await started

    expect(host.state()).toBe('ready')
    expect(host.info()?.packs).toEqual(['a'])
    expect(await host.call('echo', 'hello', patientCall())).toBe('hello')
    expect(host.events).toEqual(['started'])
  })

  it('starts its worker with the first call', async () => {
    const host = open()
    const answers = [slow(host, 1), slow(host, 1), slow(host, 1)]
    expect(await Promise.all(answers)).toEqual(['a', 'a', 'a'])
    expect(host.events).toEqual(['started'])
  })

  it('starts no worker for an aborted or expired call', async () => {
    const host = open()
    await expect(slow(host, 1, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
    await expect(slow(host, 1, { deadline: Date.now() })).rejects.toMatchObject({
      code: 'overloaded',
    })
    expect(host.state()).toBe('unloaded')
  })

  it('reports wait and service times of calls', async () => {
    const waits: number[] = []
    const services: string[] = []
    const host = await openReady({
      onWait: (ms) => waits.push(ms),
      onService: (method) => services.push(method),
    })
    await host.call('echo', 1, patientCall())
    expect(waits).toEqual([expect.any(Number)])
    expect(services).toEqual(['echo'])
  })

  it('limits concurrent and waiting calls', async () => {
    const host = await openReady({ queue: { concurrency: 2, limit: 1 } })
    const answers = [slow(host, 100), slow(host, 100), slow(host, 1)]
    expect(host.load()).toEqual({ running: 2, waiting: 1 })
    await expect(slow(host, 1)).rejects.toMatchObject({ code: 'overloaded' })
    await Promise.all(answers)
  })

  it('cancels a call in the worker on abort and at its deadline, and keeps the worker', async () => {
    const host = await openReady({ queue: { concurrency: 1, limit: 2 } })
    const controller = new AbortController()
    const aborted = slow(host, 60_000, { signal: controller.signal })
    controller.abort()
    await expect(aborted).rejects.toMatchObject({ name: 'AbortError' })
    const late = slow(host, 60_000, { deadline: Date.now() + 50 })
    await expect(late).rejects.toMatchObject({ code: 'overloaded' })

    expect(await slow(host, 1)).toBe('a')
    expect(host.events).toEqual(['started'])
  })

  it('loses only calls in flight when the worker is killed under load', async () => {
    const host = await openReady({ queue: { concurrency: 2, limit: 50 } })
    const inFlight = [slow(host, 60_000), slow(host, 60_000)]
    const waiting = Array.from({ length: 20 }, () => slow(host, 1))
    const [pid] = host.log.pids()

    process.kill(pid!, 'SIGKILL')

    for (const call of inFlight) {
      await expect(call).rejects.toMatchObject({
        code: 'model_unavailable',
        retryAfterSeconds: expect.any(Number),
      })
    }
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => 'a'))
    expect(await slow(host, 1)).toBe('a')
    expect(host.events).toEqual(['started', 'crashed', 'started'])
  })

  it('loses no waiting call when the worker crashes repeatedly', async () => {
    const host = await openReady({ queue: { concurrency: 1, limit: 50 } })
    const crashes = Array.from({ length: 4 }, () => host.call('crash', undefined, patientCall()))
    const last = slow(host, 1)

    const outcomes = await Promise.allSettled(crashes)

    expect(outcomes.map(({ status }) => status)).toEqual(crashes.map(() => 'rejected'))
    expect(await last).toBe('a')
  })

  it('refuses a call whose deadline precedes the next restart', async () => {
    const host = await openReady({ backOff: { crashMs: 60_000, maxMs: 60_000 } })
    for (let crashes = 0; crashes < 2; crashes += 1) {
      await host.call('crash', undefined, patientCall()).catch(() => {})
    }
    await until(() => host.state() === 'restarting')

    const refused = host.call('echo', 1, patientCall({ deadline: Date.now() + 5_000 }))

    await expect(refused).rejects.toMatchObject({
      code: 'model_unavailable',
      retryAfterSeconds: 60,
    })
  })

  it('replaces a hung worker and keeps waiting calls', async () => {
    const host = await openReady({ queue: { concurrency: 1, limit: 5 } })
    const stuck = host.call('block', undefined, patientCall({ deadline: Date.now() + 50 }))
    const waiting = slow(host, 1)

    await expect(stuck).rejects.toMatchObject({ code: 'overloaded' })
    expect(await waiting).toBe('a')
    expect(host.events).toEqual(['started', 'hung', 'started'])
  })

  it('reports a failed load, refuses calls and retries', async () => {
    const host = open({ backOff: { loadFailureMs: 300 } })
    host.settings.loadFailure = 'model.onnx has another sha256'

    await expect(host.start()).rejects.toThrow('model.onnx has another sha256')
    expect(host.state()).toBe('failed')
    expect(host.log.text()).toContain('model.onnx has another sha256')
    await expect(host.call('echo', 1, patientCall())).rejects.toMatchObject({
      code: 'model_unavailable',
      retryAfterSeconds: 1,
    })

    delete host.settings.loadFailure
    await until(() => host.state() === 'ready')
    expect(await host.call('echo', 1, patientCall())).toBe(1)
    expect(host.events).toEqual(['load_failed', 'started'])
  })

  it('treats unreadable settings as a failed load', async () => {
    const host = open({ settings: () => Promise.reject(new Error('pack.json is missing')) })
    await expect(host.start()).rejects.toThrow('pack.json is missing')
    expect(host.events).toEqual(['load_failed'])
  })

  it('rejects waiting calls when the load fails', async () => {
    const host = open()
    host.settings.loadFailure = 'no memory'
    await expect(slow(host, 1)).rejects.toMatchObject({ code: 'model_unavailable' })
  })

  it('starts at once after a failed load when start is called', async () => {
    const host = open({ backOff: { loadFailureMs: 60_000, maxMs: 60_000 } })
    host.settings.loadFailure = 'no memory'
    await host.start().catch(() => {})
    delete host.settings.loadFailure
    await host.start()
    expect(host.state()).toBe('ready')
  })

  it('unloads an idle worker and starts it again with the next call', async () => {
    const host = await openReady({ idleUnloadMs: 50 })
    const [pid] = host.log.pids()
    await until(() => host.state() === 'unloaded' && !isAlive(pid!))
    expect(host.info()?.packs).toEqual(['a'])

    expect(await slow(host, 1)).toBe('a')

    expect(host.events).toEqual(['started', 'unloaded', 'started'])
  })

  it('does not unload a busy worker', async () => {
    const host = await openReady({ idleUnloadMs: 30 })
    expect(await slow(host, 200)).toBe('a')
    expect(host.events).toEqual(['started'])
  })

  it('ignores health probes when it measures idle time', async () => {
    const host = await openReady({ idleUnloadMs: 50 })
    const probes = setInterval(() => [host.state(), host.info(), host.load()], 1)
    await until(() => host.state() === 'unloaded')
    clearInterval(probes)
    expect(host.events).toEqual(['started', 'unloaded'])
  })

  it('unloads a worker whose only call was aborted during the start', async () => {
    const host = open({ idleUnloadMs: 50 })
    host.settings.loadMs = 100
    const controller = new AbortController()
    const call = slow(host, 1, { signal: controller.signal })
    controller.abort()
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
    await until(() => host.events.includes('unloaded'))
    expect(host.state()).toBe('unloaded')
  })

  it('finishes calls in flight before it closes, and refuses the others', async () => {
    const host = await openReady({ queue: { concurrency: 1, limit: 5 } })
    const inFlight = slow(host, 100)
    const waiting = slow(host, 1)

    const closed = host.close()

    expect(host.state()).toBe('closed')
    await expect(waiting).rejects.toMatchObject({ code: 'model_unavailable' })
    await expect(slow(host, 1)).rejects.toMatchObject({ code: 'model_unavailable' })
    expect(await inFlight).toBe('a')
    await closed
    expect(host.log.pids().filter(isAlive)).toEqual([])
  })

  it('fails calls in flight when closing exceeds its time limit', async () => {
    const host = await openReady()
    const inFlight = slow(host, 60_000)
    await host.close(50)
    await expect(inFlight).rejects.toMatchObject({ code: 'model_unavailable' })
  })

  it('closes during a start and leaves no process', async () => {
    const host = open()
    host.settings.loadMs = 60_000
    const started = host.start()
    const waiting = slow(host, 1)
    started.catch(() => {})
    await until(() => host.log.pids().length === 1)

    await Promise.all([host.close(), host.close()])

    await expect(started).rejects.toMatchObject({ name: 'WorkerStartError' })
    await expect(waiting).rejects.toMatchObject({ code: 'model_unavailable' })
    expect(host.log.pids().filter(isAlive)).toEqual([])
    await expect(host.start()).rejects.toMatchObject({ name: 'WorkerStartError' })
    expect([host.state(), host.events]).toEqual(['closed', []])
  })

  it('reads no settings after it is closed during a back-off', async () => {
    let reads = 0
    const host = open({
      backOff: { loadFailureMs: 50 },
      settings: async () => {
        reads += 1
        throw new Error('pack.json is missing')
      },
    })
    await host.start().catch(() => {})
    await host.close()
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(reads).toBe(1)
  })
})
