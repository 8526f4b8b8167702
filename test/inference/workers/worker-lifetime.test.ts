import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isAlive, until } from './_fixture-host.js'

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))

function run(command: string, args: string[]) {
  const child = spawn(command, args, { env: {}, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { child, output: () => output }
}

describe('the lifetime of a model worker', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'ends with its server on %s, even during a call',
    async (signal) => {
      const server = run(process.execPath, [fixture('short-lived-server.js')])
      await until(() => /^\d+\n/.test(server.output()))
      const workerPid = Number(server.output())
      expect(isAlive(workerPid)).toBe(true)

      server.child.kill(signal)

      await until(() => !isAlive(workerPid))
      expect(isAlive(workerPid)).toBe(false)
    },
  )

  it('disables core files even when the server allows them', async () => {
    if (process.platform !== 'linux') return
    const start = `ulimit -c unlimited; exec "${process.execPath}" "${fixture('short-lived-server.js')}"`
    const server = run('/bin/sh', ['-c', start])
    await until(() => /^\d+\n/.test(server.output()))
    const limits = readFileSync(`/proc/${Number(server.output())}/limits`, 'utf8')
    server.child.kill()
    await once(server.child, 'close')

    expect(limits).toMatch(/^Max core file size\s+0\s/m)
  })

  it('refuses to run without a server', async () => {
    const { child, output } = run(process.execPath, [fixture('fixture-worker.js')])
    const [code] = (await once(child, 'close')) as [number]
    expect(code).toBe(64)
    expect(output()).not.toBe('')
  })

  it('leaks no listeners over many calls, aborts, crashes and swaps', async () => {
    const { child, output } = run(process.execPath, ['--trace-warnings', fixture('busy-server.js')])
    const [code] = (await once(child, 'close')) as [number]
    expect({ code, output: output() }).toEqual({ code: 0, output: '' })
  })
})
