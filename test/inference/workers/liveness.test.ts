import type { WorkerProcess } from '../../../src/inference/workers/worker-process.js'
import {
  patientCall,
  startFixtureWorker,
  until,
  useFixtureHosts,
  fixtureEntry,
  type FixtureMethods,
} from './_fixture-host.js'

/** Checks follow so quickly that a test sees thirty of them. */
const CHECK_MS = 40

describe('a worker that hangs', () => {
  const workers: WorkerProcess<FixtureMethods>[] = []
  const open = useFixtureHosts()

  async function start() {
    const worker = await startFixtureWorker({}, { checkMs: CHECK_MS })
    workers.push(worker)
    return worker
  }

  afterEach(async () => {
    for (const worker of workers.splice(0)) {
      worker.kill()
      await worker.exited
    }
  })

  const cases = [
    ['sleepSync', 'it neither answered nor computed'],
    ['block', 'it did not answer'],
    ['hang', 'it did nothing for its calls'],
  ] as const
  it.each(cases)('is killed when %s blocks it: %s', async (method, reason) => {
    const worker = await start()
    const call =
      method === 'sleepSync' ? worker.call('sleepSync', 60_000) : worker.call(method, undefined)
    await expect(call).rejects.toMatchObject({ reason: 'exited' })
    expect(worker.hangReason).toBe(reason)
  })

  it('is killed when a signal stops it, with or without a call', async () => {
    const worker = await start()
    process.kill(worker.pid, 'SIGSTOP')
    expect(await worker.exited).toEqual({ code: null, signal: 'SIGKILL' })
    expect(worker.hangReason).toBe('it was stopped by a signal')
  })

  it('is not assumed while a worker computes, or rests without a call', async () => {
    const worker = await start()
    expect(await worker.call('compute', 15 * CHECK_MS)).toBe('a')
    await new Promise((resolve) => setTimeout(resolve, 15 * CHECK_MS))
    expect(await worker.call('echo', 1)).toBe(1)
    expect(worker.hangReason).toBeUndefined()
  })

  it('is not assumed when the server itself was paused', async () => {
    const worker = await start()
    process.kill(worker.pid, 'SIGSTOP')
    const busyUntil = performance.now() + 1_500
    while (performance.now() < busyUntil);
    process.kill(worker.pid, 'SIGCONT')

    expect(await worker.call('echo', 1)).toBe(1)
    expect(worker.hangReason).toBeUndefined()
  })

  it('is replaced, and its calls can be repeated', async () => {
    const worker = { environment: {}, entry: fixtureEntry, checkMs: CHECK_MS }
    const host = open({ worker })
    await host.start()
    const call = host.call('slow', 60_000, patientCall())
    process.kill(host.pid()!, 'SIGSTOP')

    await expect(call).rejects.toMatchObject({
      code: 'model_unavailable',
      retryAfterSeconds: expect.any(Number),
    })
    expect(await host.call('echo', 1, patientCall())).toBe(1)
    expect(host.events).toEqual(['started', 'hung', 'started'])
    expect(host.log.text()).toContain('killed, since it was stopped by a signal')
  })

  it('is replaced when it is stopped while loading', async () => {
    const host = open({
      worker: { environment: {}, entry: fixtureEntry, checkMs: CHECK_MS },
      backOff: { loadFailureMs: 10 },
    })
    host.settings.loadMs = 60_000
    const started = host.start()
    started.catch(() => {})
    await until(() => host.log.pids().length > 0)
    host.settings.loadMs = 0
    process.kill(host.log.pids()[0]!, 'SIGSTOP')

    await expect(started).rejects.toThrow('stopped by a signal while loading')
    await until(() => host.state() === 'ready')
  })
})
