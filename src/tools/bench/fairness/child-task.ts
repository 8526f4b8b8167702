import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'

/** Work that goes on in another process until it is stopped. */
export interface ChildTask<Output> {
  stop(): Promise<Output>
}

/**
 * Starts the module that calls `serveTask` in another process, and resolves when its work has begun. It ends with this process.
 * @throws when the process ends by itself
 */
export async function startChildTask<Output>(
  entry: URL,
  input: unknown,
): Promise<ChildTask<Output>> {
  const child = fork(entry, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  child.send(input as object)
  await nextMessage(child)
  return {
    stop: async () => {
      child.send('stop')
      const output = (await nextMessage(child)) as Output
      child.disconnect()
      return output
    },
  }
}

/** Does the work of this process: begins it with what the parent sends, and ends it when the parent asks for the output. */
export async function serveTask<Input, Output>(
  start: (input: Input) => Promise<() => Output>,
): Promise<void> {
  process.once('disconnect', () => process.exit())
  const [input] = (await once(process, 'message')) as [Input]
  const stop = await start(input)
  process.once('message', () => process.send?.(stop() as object))
  process.send?.('started')
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(([status]) => {
    throw new Error(`A process of the benchmark ended with status ${status}.`)
  })
  ended.catch(() => {})
  const [message] = (await Promise.race([once(child, 'message'), ended])) as unknown[]
  return message
}
