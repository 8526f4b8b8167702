import type { ChildProcess } from 'node:child_process'
import type { FromWorker, MethodTable, ToWorker } from './protocol.js'

/** Answers the questions of one worker process. */
export interface Answerer {
  /** Messages of its errors reach the worker, and the log when the worker fails to load. */
  answer: (question: unknown, signal: AbortSignal) => Promise<unknown>
  /** Called once, when the process has ended. */
  close: () => void
}

/** Answers what a worker asks until it ends; questions that are still open are aborted then. */
export function answerQuestions(
  child: ChildProcess,
  exited: Promise<unknown>,
  { answer, close }: Answerer,
): void {
  const open = new Map<number, AbortController>()

  async function serve(id: number, question: unknown): Promise<void> {
    const controller = new AbortController()
    open.set(id, controller)
    try {
      send({ type: 'answer', id, answer: await answer(question, controller.signal) })
    } catch (error) {
      const message = error instanceof Error ? error.message : 'unknown error'
      send({ type: 'refusal', id, message })
    }
    open.delete(id)
  }

  function send(message: ToWorker<MethodTable>): void {
    if (child.connected) child.send(message, () => {})
  }

  child.on('message', (message: FromWorker) => {
    if (message.type === 'ask') void serve(message.id, message.question)
    if (message.type === 'ask_abort') open.get(message.id)?.abort()
  })
  void exited.then(() => {
    for (const controller of open.values()) controller.abort()
    close()
  })
}
