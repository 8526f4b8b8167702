import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { sleep } from './_server-process.js'

export interface VisionWorkerProcess {
  url: string
  kill: () => Promise<void>
}

/** Starts the compiled `vision-worker` with the real models on the loopback interface, and waits until it is ready. */
export async function spawnVisionWorker(
  env: Record<string, string>,
  port = '0',
): Promise<VisionWorkerProcess> {
  const { NODE_OPTIONS: _jestOnly, ...inherited } = process.env
  const child = spawn(
    process.execPath,
    [path.resolve('dist/main.js'), 'vision-worker', '--port', port],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...inherited, ...env, LOG_FORMAT: 'json' } },
  )
  const url = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const address = /"address":"(?<url>http:[^"]+)"/.exec(output)?.groups?.url
      if (address !== undefined) resolve(address)
    })
    child.once('exit', () => reject(new Error(`the vision worker ended: ${output}`)))
  })
  while (!(await isReady(url))) await sleep(50)
  return { url, kill: () => end(child) }
}

async function isReady(url: string): Promise<boolean> {
  return (await fetch(`${url}/readyz`)).status === 200
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}
