import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { afterEach, expect, it } from '@jest/globals'
import { until } from '../inference/workers/_fixture-host.js'
import { describeWithWeights, MISSING_WEIGHTS } from '../_weights.js'
import { openersBody } from './_profiles.js'
import { startServerProcess, type ServerProcess } from './_server-process.js'

/** Number of the signal, less one, as a bit of the masks in /proc. */
const SIGUSR2_BIT = 1n << 11n

let server: ServerProcess
afterEach(() => server?.close())

/** Whether the process has a handler for SIGUSR2. Source: proc(5) */
function takesReloads({ pid }: ChildProcess): boolean {
  const mask = /^SigCgt:\s*(?<mask>\w+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  return (BigInt(`0x${mask?.groups?.mask}`) & SIGUSR2_BIT) !== 0n
}

const count = (text: string) => server.output().split(text).length - 1

describeWithWeights('signals', MISSING_WEIGHTS, () => {
  it('to reload are kept from the first moments on, and joined', async () => {
    let early: Promise<boolean> | undefined
    const onSpawn = (child: ChildProcess) => {
      early = until(() => takesReloads(child)).then(() => child.kill('SIGUSR2'))
    }
    server = await startServerProcess({ onSpawn })
    expect(await early).toBe(true)
    await until(() => count('"models reloaded"') === 1)
    for (let i = 0; i < 20; i++) server.child.kill('SIGUSR2')
    await until(() => count('"models reloaded"') > 1)
    const answer = await server.post('/v1/conversation/openers', await openersBody())
    expect(answer.status).toBe(200)
    expect(count('"models reloaded"')).toBeLessThanOrEqual(3)
  }, 180_000)

  it('to stop end no call in flight, however often they come', async () => {
    server = await startServerProcess()
    const inFlight = server.post('/v1/conversation/openers', await openersBody())
    await until(async () => {
      const { status } = await fetch(`${server.baseUrl}/readyz`)
      return status === 200
    })
    const exitCode = server.stop()
    await until(() => count('"stopping;') === 1)
    server.child.kill('SIGTERM')
    expect((await inFlight).status).toBe(200)
    expect(await exitCode).toBe(0)
  }, 180_000)
})
