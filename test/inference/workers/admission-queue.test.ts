import { getEventListeners } from 'node:events'
import { AdmissionQueue } from '../../../src/inference/workers/admission-queue.js'
import type { InferenceCall } from '../../../src/inference/call.js'
import type { ServiceError } from '../../../src/core/service-error.js'
import { patientCall } from './_fixture-host.js'

/** A task that ends when the test says so. */
function openTask() {
  let finish: () => void = () => {}
  const ended = new Promise<void>((resolve) => (finish = resolve))
  let seen: AbortSignal | undefined
  return {
    run: (signal: AbortSignal) => {
      seen = signal
      return ended
    },
    finish: () => finish(),
    isRunning: () => seen !== undefined,
    isAborted: () => seen?.aborted,
  }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('the admission queue', () => {
  let tasks: ReturnType<typeof openTask>[]

  function add(queue: AdmissionQueue, call: Partial<InferenceCall> = {}) {
    const task = openTask()
    tasks.push(task)
    const answer = queue.run(patientCall(call), task.run)
    answer.catch(() => {})
    return { ...task, answer }
  }

  /** Lets the queue learn that a task takes this long. */
  async function learn(queue: AdmissionQueue, serviceMs: number): Promise<void> {
    await queue.run(patientCall(), () => new Promise((resolve) => setTimeout(resolve, serviceMs)))
    await turn()
  }

  beforeEach(() => (tasks = []))
  afterEach(() => tasks.forEach(({ finish }) => finish()))

  it('runs as many tasks as it may and keeps the others waiting', async () => {
    const queue = new AdmissionQueue({ concurrency: 2, limit: 5 })
    const [first, second, third] = [add(queue), add(queue), add(queue)]
    expect(queue.load()).toEqual({ running: 2, waiting: 1 })

    first.finish()
    await turn()

    expect([second.isRunning(), third.isRunning()]).toEqual([true, true])
    expect(queue.load()).toEqual({ running: 2, waiting: 0 })
  })

  it('serves matches before openers before batches, and equals in order', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 10 })
    const order: string[] = []
    const note = (name: string) => async () => void order.push(name)
    const blocker = add(queue)
    const answers = [
      queue.run(patientCall({ priority: 'batch' }), note('batch')),
      queue.run(patientCall({ priority: 'openers' }), note('openers 1')),
      queue.run(patientCall({ priority: 'match' }), note('match')),
      queue.run(patientCall({ priority: 'openers' }), note('openers 2')),
    ]

    blocker.finish()
    await Promise.all(answers)

    expect(order).toEqual(['match', 'openers 1', 'openers 2', 'batch'])
  })

  it('passes on what a task gives and what it throws', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 1 })
    await expect(queue.run(patientCall(), async () => 7)).resolves.toBe(7)
    const failing = queue.run(patientCall(), async () => {
      throw new RangeError('no')
    })
    await expect(failing).rejects.toBeInstanceOf(RangeError)
    await turn()
    expect(queue.load()).toEqual({ running: 0, waiting: 0 })
  })

  it('refuses a call at once when it is full', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 1 })
    add(queue)
    add(queue)
    await expect(add(queue).answer).rejects.toMatchObject({
      code: 'overloaded',
      retryAfterSeconds: 1,
    })
    expect(queue.load()).toEqual({ running: 1, waiting: 1 })
  })

  describe('with a limit for a queue that stands', () => {
    it('takes a burst up to the full limit', async () => {
      const standing = { limit: 1, refillMs: 60_000, burstWaitMs: Infinity }
      const queue = new AdmissionQueue({ concurrency: 1, limit: 3, standing })
      for (let count = 0; count < 4; count += 1) add(queue)
      await expect(add(queue).answer).rejects.toMatchObject({ code: 'overloaded' })
      expect(queue.load()).toEqual({ running: 1, waiting: 3 })
    })

    it.each([
      ['takes no more of a burst than can be served soon', 1, 1],
      ['takes a burst that can be served soon', 60_000, 3],
    ])('%s', async (_what, burstWaitMs, waiting) => {
      const standing = { limit: 1, refillMs: 60_000, burstWaitMs }
      const queue = new AdmissionQueue({ concurrency: 1, limit: 3, standing })
      await learn(queue, 20)
      for (let count = 0; count < 4; count += 1) add(queue).answer.catch(() => undefined)
      await expect(add(queue).answer).rejects.toMatchObject({ code: 'overloaded' })
      expect(queue.load()).toEqual({ running: 1, waiting })
    })

    /** Uses up the two places for bursts, and ends all but the last call. */
    async function useUpBurst(refillMs: number) {
      const queue = new AdmissionQueue({
        concurrency: 1,
        limit: 3,
        standing: { limit: 1, refillMs, burstWaitMs: Infinity },
      })
      for (const { finish } of Array.from({ length: 3 }, () => add(queue))) finish()
      const last = add(queue)
      while (queue.load().waiting > 0) await turn()
      return { queue, last }
    }

    it('takes no more than the lower limit after a burst', async () => {
      const { queue } = await useUpBurst(60_000)
      add(queue)
      await expect(add(queue).answer).rejects.toMatchObject({ code: 'overloaded' })
      expect(queue.load()).toEqual({ running: 1, waiting: 1 })
    })

    it('takes a burst again after it had room for one more', async () => {
      const { queue, last } = await useUpBurst(10)
      last.finish()
      await new Promise((resolve) => setTimeout(resolve, 50))
      for (let count = 0; count < 4; count += 1) add(queue)
      expect(queue.load()).toEqual({ running: 1, waiting: 3 })
    })
  })

  it('refuses a call that would wait beyond its deadline, and tells when to come back', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 100 })
    await learn(queue, 100)
    for (let count = 0; count < 20; count += 1) add(queue)

    const hasty = add(queue, { deadline: Date.now() + 500 })
    const patient = add(queue)

    const refusal = (await hasty.answer.catch((error: unknown) => error)) as ServiceError
    expect(refusal.code).toBe('overloaded')
    expect(refusal.retryAfterSeconds).toBeGreaterThan(1)
    expect(queue.load().waiting).toBe(20)
    expect(patient.isRunning()).toBe(false)
  })

  it('expects no wait for a call that overtakes those of lower priority', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 100 })
    await learn(queue, 100)
    for (let count = 0; count < 20; count += 1) add(queue, { priority: 'batch' })

    add(queue, { priority: 'match', deadline: Date.now() + 500 })

    expect(queue.load().waiting).toBe(20)
  })

  it('expects no wait while a slot is free', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 1 })
    await learn(queue, 100)
    const hasty = add(queue, { deadline: Date.now() + 50 })
    expect(hasty.isRunning()).toBe(true)
  })

  it('refuses a call whose deadline has passed or whose caller has left', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 1 })
    const late = add(queue, { deadline: Date.now() })
    const gone = add(queue, { signal: AbortSignal.abort() })
    await expect(late.answer).rejects.toMatchObject({ code: 'overloaded' })
    await expect(gone.answer).rejects.toMatchObject({ name: 'AbortError' })
    expect([late.isRunning(), gone.isRunning()]).toEqual([false, false])
  })

  it('gives up the place of a caller who leaves while waiting', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 1 })
    const blocker = add(queue)
    const controller = new AbortController()
    const waiting = add(queue, { signal: controller.signal })

    controller.abort()

    await expect(waiting.answer).rejects.toMatchObject({ name: 'AbortError' })
    expect(queue.load()).toEqual({ running: 1, waiting: 0 })
    blocker.finish()
    await turn()
    expect(waiting.isRunning()).toBe(false)
  })

  it('gives up the place of a call whose deadline passes while it waits', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 1 })
    add(queue)
    const waiting = add(queue, { deadline: Date.now() + 20 })
    await expect(waiting.answer).rejects.toMatchObject({ code: 'overloaded' })
    expect(queue.load()).toEqual({ running: 1, waiting: 0 })
  })

  it('lets a caller leave a running task at once, but keeps its slot until the task ends', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 1 })
    const controller = new AbortController()
    const running = add(queue, { signal: controller.signal })
    const next = add(queue)

    controller.abort()

    await expect(running.answer).rejects.toMatchObject({ name: 'AbortError' })
    expect(running.isAborted()).toBe(true)
    await turn()
    expect(next.isRunning()).toBe(false)
    running.finish()
    await turn()
    expect(next.isRunning()).toBe(true)
  })

  it('aborts a running task when its deadline passes', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 1 })
    const running = add(queue, { deadline: Date.now() + 20 })
    await expect(running.answer).rejects.toMatchObject({ code: 'overloaded' })
    expect(running.isAborted()).toBe(true)
  })

  it('keeps calls while it is paused and goes on where it was', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 2 })
    queue.pause()
    const [first, second] = [add(queue), add(queue)]
    await turn()
    expect([first.isRunning(), second.isRunning()]).toEqual([false, false])
    queue.resume()
    expect([first.isRunning(), second.isRunning()]).toEqual([true, false])
  })

  it('fails the calls that wait, and only those, when told to', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 2 })
    const [running, waiting] = [add(queue), add(queue)]

    queue.rejectWaiting(new RangeError('closed'))

    await expect(waiting.answer).rejects.toBeInstanceOf(RangeError)
    running.finish()
    await expect(running.answer).resolves.toBeUndefined()
    expect(queue.load().waiting).toBe(0)
  })

  it('tells how long each started call has waited', async () => {
    const waits: number[] = []
    const queue = new AdmissionQueue({
      concurrency: 1,
      limit: 2,
      onStart: (ms) => waits.push(ms),
    })
    const [first, second] = [add(queue), add(queue)]
    expect(waits).toHaveLength(1)
    first.finish()
    second.finish()
    await second.answer
    expect(waits).toEqual([expect.any(Number), expect.any(Number)])
  })

  it('leaves no listener on a signal that many calls share', async () => {
    const queue = new AdmissionQueue({ concurrency: 4, limit: 100 })
    const { signal } = new AbortController()
    const warnings: Error[] = []
    const keep = (warning: Error) => warnings.push(warning)
    process.on('warning', keep)

    const answers = Array.from({ length: 50 }, () => queue.run(patientCall({ signal }), turn))
    expect(getEventListeners(signal, 'abort')).toHaveLength(50)
    await Promise.all(answers)

    process.off('warning', keep)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(warnings).toEqual([])
  })
})
