import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { isAlive, until } from './fixture-worker.js'

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))

function runNode(script: string, args: string[] = []) {
  const child = spawn(process.execPath, [...args, script], {
    env: {},
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { child, output: () => output }
}

describe('the life of a model worker', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'ends when its server ends by %s, even in the middle of a call',
    async (signal) => {
      const server = runNode(fixture('short-lived-server.js'))
      await until(() => /^\d+\n/.test(server.output()))
      const workerPid = Number(server.output())
      expect(isAlive(workerPid)).toBe(true)

      server.child.kill(signal)

      await until(() => !isAlive(workerPid))
      expect(isAlive(workerPid)).toBe(false)
    },
  )

  it('does not begin without a server', async () => {
    const { child, output } = runNode(fixture('fixture-worker.js'))
    const [code] = (await once(child, 'close')) as [number]
    expect(code).toBe(64)
    expect(output()).not.toBe('')
  })

  it('leaks no listener over many calls, aborts, crashes and swaps', async () => {
    const { child, output } = runNode(fixture('busy-server.js'), ['--trace-warnings'])
    const [code] = (await once(child, 'close')) as [number]
    expect({ code, output: output() }).toEqual({ code: 0, output: '' })
  })
})
