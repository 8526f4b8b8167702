import { readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import { jest } from '@jest/globals'
import type { WorkerProcess } from '../../../src/inference/workers/worker-process.js'
import {
  createRecordingLog,
  isAlive,
  startFixtureWorker,
  until,
  type FixtureMethods,
} from './_fixture-host.js'

const ADDED_BY_SHELL_AND_FORK = /^(PWD|OLDPWD|SHLVL|_|NODE_CHANNEL_\w+)$/

describe('WorkerProcess', () => {
  const workers: WorkerProcess<FixtureMethods>[] = []

  async function start(...args: Parameters<typeof startFixtureWorker>) {
    const worker = await startFixtureWorker(...args)
    workers.push(worker)
    return worker
  }

  afterEach(async () => {
    for (const worker of workers.splice(0)) {
      worker.kill()
      await worker.exited
    }
  })

  it('reports its packs and answers calls', async () => {
    const worker = await start({ pack: 'clip-lite' })

    expect(worker.info).toMatchObject({ packs: ['clip-lite'], device: 'cpu', threads: 1 })
    expect(await worker.call('echo', 'hello')).toBe('hello')
  })

  it('transfers large typed arrays unchanged in both directions', async () => {
    const worker = await start()
    const photo = new Uint8Array(3_000_000).map((_, index) => index % 251)

    const { bytes, embedding } = (await worker.call('echo', {
      bytes: photo,
      embedding: new Float32Array([0.5, -0.25]),
    })) as { bytes: Uint8Array; embedding: Float32Array }

    expect(Buffer.compare(bytes, photo)).toBe(0)
    expect(Object.prototype.toString.call(embedding)).toBe('[object Float32Array]')
    expect([...embedding]).toEqual([0.5, -0.25])
  })

  it('keeps the priority of the server and warns when the system forbids lowering it', async () => {
    const setPriority = jest.spyOn(os, 'setPriority').mockImplementation(() => {
      throw Object.assign(new Error(), { errno: -os.constants.errno.EPERM })
    })
    const log = createRecordingLog()
    const worker = await start({}, { log })
    setPriority.mockRestore()

    expect(await worker.call('echo', 1)).toBe(1)
    expect(log.lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { fields: { pid: worker.pid, reason: 'EPERM' } },
    ])
  })

  it('stops an aborted call and serves the others', async () => {
    const worker = await start()
    const controller = new AbortController()
    const stopped = worker.call('slow', 60_000, { signal: controller.signal })
    const other = worker.call('slow', 50)

    controller.abort()

    await expect(stopped).rejects.toMatchObject({ reason: 'aborted' })
    await expect(other).resolves.toBe('a')
  })

  it('rejects a call whose signal is already aborted', async () => {
    const worker = await start()
    const call = worker.call('slow', 60_000, { signal: AbortSignal.abort() })
    await expect(call).rejects.toMatchObject({ reason: 'aborted' })
  })

  it('distinguishes invalid input from internal failures', async () => {
    const worker = await start()

    await expect(worker.call('refuse', undefined)).rejects.toMatchObject({
      reason: 'invalid_input',
      message: 'Send less.',
    })
    await expect(worker.call('unsendable', undefined)).rejects.toMatchObject({ reason: 'failed' })
    await expect(worker.call('toString' as 'echo', undefined)).rejects.toMatchObject({
      reason: 'failed',
    })
    expect(await worker.call('echo', 'still here')).toBe('still here')
  })

  it('keeps input out of failures, crash reports and logged output', async () => {
    const log = createRecordingLog()
    const worker = await start({}, { log })
    const bio = 'Anna from Lisbon'

    const failure = worker.call('parse', bio)
    await expect(failure).rejects.toMatchObject({ reason: 'failed' })
    const { message } = (await failure.catch((error: unknown) => error)) as Error
    await worker.call('print', `${bio}\nggml_backend: loaded\n`)
    const crash = worker.call('throwLater', bio)
    await expect(crash).rejects.toMatchObject({ reason: 'exited' })
    await until(() => log.text().includes('uncaught SyntaxError'))

    expect(message).toMatch(/^SyntaxError/)
    expect(log.text()).toContain('ggml_backend: loaded')
    expect(message + log.text()).not.toContain('Anna')
    expect(await worker.exited).toEqual({ code: 70, signal: null })
  })

  it('fails calls in flight and later calls when it exits', async () => {
    const worker = await start()
    const inFlight = worker.call('slow', 60_000)

    worker.call('crash', undefined).catch(() => {})

    await expect(inFlight).rejects.toMatchObject({ reason: 'exited' })
    await expect(worker.call('echo', 1)).rejects.toMatchObject({ reason: 'exited' })
    expect(await worker.exited).toEqual({ code: null, signal: 'SIGKILL' })
  })

  it.each(['hang', 'block'] as const)(
    'is killed when %s does not react to an abort',
    async (method) => {
      const worker = await start({}, { graceMs: 50 })
      const controller = new AbortController()
      const call = worker.call(method, undefined, { signal: controller.signal })

      controller.abort()

      await expect(call).rejects.toMatchObject({ reason: 'exited' })
      expect(worker.hangReason).toBe('it did not react to an abort')
    },
  )

  it('survives when the server was too busy to read its answer to an abort', async () => {
    const worker = await start({}, { graceMs: 50 })
    const controller = new AbortController()
    const call = worker.call('slow', 60_000, { signal: controller.signal })
    call.catch(() => {})

    controller.abort()
    const busyUntil = performance.now() + 500
    while (performance.now() < busyUntil);

    await expect(call).rejects.toMatchObject({ reason: 'aborted' })
    expect(worker.hangReason).toBeUndefined()
  })

  it('finishes calls in flight before it drains', async () => {
    const worker = await start()
    const call = worker.call('slow', 200)

    const exit = await worker.drain()

    expect(await call).toBe('a')
    expect(exit).toEqual({ code: 0, signal: null })
  })

  it('delivers a large final answer before it drains', async () => {
    const worker = await start()
    const call = worker.call('echo', new Uint8Array(20_000_000))
    await worker.drain()
    expect(await call).toHaveLength(20_000_000)
  })

  it('is killed when draining exceeds its time limit', async () => {
    const worker = await start()
    const call = worker.call('slow', 60_000)
    const exit = worker.drain(50)
    await expect(call).rejects.toMatchObject({ reason: 'exited' })
    expect(await exit).toEqual({ code: null, signal: 'SIGKILL' })
  })

  it('is killed when disposing its models hangs', async () => {
    const worker = await start({ hangOnDispose: true }, { graceMs: 50 })
    expect(await worker.drain()).toEqual({ code: null, signal: 'SIGKILL' })
  })

  it('ignores signals that the terminal or a service manager sends to the group', async () => {
    const worker = await start()
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(worker.pid, signal)
    expect(await worker.call('echo', 'here')).toBe('here')
  })

  it('receives only the given environment variables and no Node flags', async () => {
    const worker = await start({}, { environment: { OMP_NUM_THREADS: '2' } })
    const { env, execArgv } = await worker.call('processState', undefined)
    const names = Object.keys(env).filter((name) => !ADDED_BY_SHELL_AND_FORK.test(name))
    expect(names).toEqual(['OMP_NUM_THREADS'])
    expect(execArgv).toEqual([])
  })

  it('runs every thread at a lower priority than the server', async () => {
    const worker = await start()
    const tasks = `/proc/${worker.pid}/task`
    const niceness = readdirSync(tasks).map((thread) => {
      const fields = readFileSync(`${tasks}/${thread}/stat`, 'utf8').split(') ')[1]?.split(' ')
      return Number(fields?.[16])
    })
    expect(niceness.length).toBeGreaterThan(4)
    expect(new Set(niceness)).toEqual(new Set([Math.min(19, os.getPriority() + 5)]))
  })

  it('asks the kernel to kill it first when memory runs out', async () => {
    if (process.platform !== 'linux') return
    const worker = await start()
    expect(readFileSync(`/proc/${worker.pid}/oom_score_adj`, 'utf8').trim()).toBe('500')
  })
})

describe('startWorker', () => {
  it.each([
    ['its models cannot be loaded', { loadFailure: 'model.onnx has another sha256' }, {}],
    ['its process ends while loading', { exitWhileLoading: 3 }, {}],
    ['it is not ready in time', { loadMs: 60_000 }, { readyTimeoutMs: 200 }],
    ['its module does not exist', {}, { entry: new URL('none.js', import.meta.url) }],
    ['its signal is already aborted', {}, { signal: AbortSignal.abort() }],
  ])('rejects when %s', async (_case, settings, options) => {
    const start = startFixtureWorker(settings, options)
    await expect(start).rejects.toMatchObject({ name: 'WorkerStartError' })
  })

  it('passes on the reason of a failed load', async () => {
    const start = startFixtureWorker({ loadFailure: 'model.onnx has another sha256' })
    await expect(start).rejects.toThrow('model.onnx has another sha256')
  })

  it('leaves no process behind when it is aborted', async () => {
    const log = createRecordingLog()
    const controller = new AbortController()
    const start = startFixtureWorker({ loadMs: 60_000 }, { log, signal: controller.signal })
    await until(() => log.pids().length === 1)
    controller.abort()
    await expect(start).rejects.toMatchObject({ name: 'WorkerStartError' })
    expect(log.pids().filter(isAlive)).toEqual([])
  })
})
