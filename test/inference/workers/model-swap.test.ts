import { isAlive, patientCall, until, useFixtureHosts, type FixtureHost } from './_fixture-host.js'

describe('a model swap', () => {
  const open = useFixtureHosts()

  async function openReady(options?: Parameters<typeof open>[0]): Promise<FixtureHost> {
    const host = open(options)
    await host.start()
    return host
  }

  /** Calls without a pause until stopped; collects the packs that answered, in order. */
  function keepCalling(host: FixtureHost, callers: number) {
    const answeredBy: string[] = []
    let isStopped = false
    const run = async () => {
      while (!isStopped) answeredBy.push(await host.call('slow', 2, patientCall()))
    }
    const runs = Promise.all(Array.from({ length: callers }, run))
    runs.catch(() => {})
    return {
      answeredBy,
      stop: async () => {
        isStopped = true
        await runs
      },
    }
  }

  it('loses no call under continuous load and ends the old worker', async () => {
    const host = await openReady()
    const [oldPid] = host.log.pids()
    const load = keepCalling(host, 10)
    await until(() => load.answeredBy.length > 20)

    host.settings.pack = 'b'
    const swapped = host.swap()
    expect(host.state()).toBe('swapping')
    await swapped
    const answersBefore = load.answeredBy.length
    await until(() => load.answeredBy.length > answersBefore + 50 && !isAlive(oldPid!))
    await load.stop()

    expect(host.state()).toBe('ready')
    expect(host.info()?.packs).toEqual(['b'])
    expect(load.answeredBy.lastIndexOf('a')).toBeLessThan(answersBefore + 10)
    expect(load.answeredBy.at(-1)).toBe('b')
    expect(host.events).toEqual(['started', 'swapped'])
  })

  it('finishes long calls on the old worker while the new one serves', async () => {
    const host = await openReady()
    const long = host.call('slow', 300, patientCall())
    host.settings.pack = 'b'
    await host.swap()
    expect(await host.call('pack', undefined, patientCall())).toBe('b')
    expect(await long).toBe('a')
  })

  it('keeps the old worker when the new one cannot load', async () => {
    const host = await openReady()
    const load = keepCalling(host, 4)
    Object.assign(host.settings, { pack: 'b', loadFailure: 'model.onnx has another sha256' })

    await expect(host.swap()).rejects.toThrow('model.onnx has another sha256')
    const answersBefore = load.answeredBy.length
    await until(() => load.answeredBy.length > answersBefore + 20)
    await load.stop()

    expect(host.state()).toBe('ready')
    expect(new Set(load.answeredBy)).toEqual(new Set(['a']))
    expect(host.events).toEqual(['started', 'swap_failed'])
  })

  it('coalesces concurrent requests and serves the latest settings', async () => {
    const host = await openReady()
    host.settings.loadMs = 50
    for (const packs of [
      ['b', 'c', 'd', 'e'],
      ['f', 'g', 'h'],
    ]) {
      const swaps = packs.map((pack) => {
        host.settings.pack = pack
        return host.swap()
      })
      await Promise.all(swaps)
      expect(await host.call('pack', undefined, patientCall())).toBe(packs.at(-1))
    }
    expect(host.events).toEqual(['started', 'swapped', 'swapped', 'swapped', 'swapped'])
  })

  it('reads the settings again when requested during the first start', async () => {
    const host = open()
    const started = host.start()
    await until(() => host.log.pids().length === 1)
    host.settings.pack = 'b'
    await Promise.all([started, host.swap()])
    expect(await host.call('pack', undefined, patientCall())).toBe('b')
  })

  it('replaces the restart when the old worker crashes meanwhile', async () => {
    const host = await openReady({ backOff: { crashMs: 300 } })
    // Without the swap, the second crash would cause a back-off and another start.
    await host.call('crash', undefined, patientCall()).catch(() => {})
    await until(() => host.state() === 'ready')
    const oldPid = host.log.pids().at(-1)
    Object.assign(host.settings, { pack: 'b', loadMs: 200 })
    const swapped = host.swap()
    await until(() => host.log.pids().length === 3)

    process.kill(oldPid!, 'SIGKILL')
    await until(() => host.state() === 'starting')
    const waiting = host.call('pack', undefined, patientCall())
    await swapped
    expect(await waiting).toBe('b')
    await new Promise((resolve) => setTimeout(resolve, 400))

    expect(host.events).toEqual(['started', 'crashed', 'started', 'crashed', 'started'])
    expect(host.log.pids()).toHaveLength(3)
  })

  it('restarts when both the old worker and its successor end', async () => {
    const host = await openReady()
    const [oldPid] = host.log.pids()
    Object.assign(host.settings, { pack: 'b', loadMs: 60_000 })
    const swapped = host.swap()
    swapped.catch(() => {})
    await until(() => host.log.pids().length === 2)
    const newPid = host.log.pids()[1]

    host.settings.loadMs = 0
    process.kill(oldPid!, 'SIGKILL')
    process.kill(newPid!, 'SIGKILL')

    await expect(swapped).rejects.toMatchObject({ name: 'WorkerStartError' })
    await until(() => host.events.at(-1) === 'started' && host.events.length > 2)
    expect(await host.call('pack', undefined, patientCall())).toBe('b')
  })

  it('does not unload an idle worker before its successor is ready', async () => {
    const host = await openReady({ idleUnloadMs: 50 })
    host.settings.loadMs = 200
    await host.swap()
    expect(host.events).toEqual(['started', 'swapped'])
    await until(() => host.state() === 'unloaded')
  })

  it('skips the back-off after a failed load', async () => {
    const host = open({ backOff: { loadFailureMs: 60_000, maxMs: 60_000 } })
    host.settings.loadFailure = 'no memory'
    await host.start().catch(() => {})
    Object.assign(host.settings, { pack: 'b', loadFailure: undefined })
    await host.swap()
    expect(await host.call('pack', undefined, patientCall())).toBe('b')
  })

  it('closes during a swap and leaves no process', async () => {
    const host = await openReady()
    host.settings.loadMs = 60_000
    const swapped = host.swap()
    const next = host.swap()
    for (const swap of [swapped, next]) swap.catch(() => {})
    const long = host.call('slow', 100, patientCall())
    await until(() => host.log.pids().length === 2)

    await host.close()

    await expect(swapped).rejects.toMatchObject({ name: 'WorkerStartError' })
    await expect(next).rejects.toMatchObject({ name: 'WorkerStartError' })
    expect(await long).toBe('a')
    expect(host.log.pids().filter(isAlive)).toEqual([])
  })
})
