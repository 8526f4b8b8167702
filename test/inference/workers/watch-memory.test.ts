import { readResidentMemory } from '../../../src/inference/workers/resident-memory.js'
import { watchMemory } from '../../../src/inference/workers/watch-memory.js'
import {
  createFixtureHost,
  isAlive,
  patientCall,
  until,
  type FixtureHost,
} from './_fixture-host.js'

const MIB = 1_024 * 1_024

let host: FixtureHost
let outgrown: number
let stop: () => void

beforeEach(async () => {
  host = createFixtureHost()
  outgrown = 0
  await host.start()
})
afterEach(async () => {
  stop()
  await host.close(0)
})

/** Watches the worker with a limit of its current memory plus `marginBytes`. */
function watch(marginBytes: number) {
  const limitBytes = readResidentMemory(host.pid()!)! + marginBytes
  stop = watchMemory({
    role: 'vision',
    limitBytes,
    pid: host.pid,
    replace: host.swap,
    onOutgrown: () => (outgrown += 1),
    log: host.log,
    intervalMs: 20,
  })
}

describe('watchMemory', () => {
  it('replaces a worker that outgrows the limit without losing a call', async () => {
    watch(100 * MIB)
    const first = host.pid()!
    let isStopped = false
    const answers: string[] = []
    const callers = Array.from({ length: 4 }, async () => {
      while (!isStopped) answers.push(await host.call('slow', 5, patientCall()))
    })
    const long = host.call('slow', 500, patientCall())
    await host.call('grow', 200 * MIB, patientCall())
    await until(() => host.pid() !== undefined && host.pid() !== first && !isAlive(first))
    isStopped = true
    await Promise.all(callers)
    expect(await long).toBe('a')
    expect(answers.length).toBeGreaterThan(0)
    expect(host.events).toEqual(['started', 'swapped'])
    expect(outgrown).toBe(1)
    expect(readResidentMemory(host.pid()!)!).toBeLessThan(readResidentMemory(process.pid)!)
  })

  it('keeps a worker that exceeds the limit from the start, and warns once', async () => {
    watch(-10 * MIB)
    await until(() => host.log.lines.some(({ message }) => message.includes('more memory')))
    await host.call('slow', 200, patientCall())
    expect(host.events).toEqual(['started'])
    expect(host.log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1)
  })

  it('keeps the old worker when the new one cannot load', async () => {
    watch(100 * MIB)
    const first = host.pid()
    host.settings.loadFailure = 'no memory'
    await host.call('grow', 200 * MIB, patientCall())
    await until(() => host.events.includes('swap_failed'))
    expect(await host.call('pack', undefined, patientCall())).toBe('a')
    expect(host.pid()).toBe(first)
  })
})
