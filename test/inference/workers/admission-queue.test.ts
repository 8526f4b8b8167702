import { getEventListeners } from 'node:events'
import { AdmissionQueue } from '../../../src/inference/workers/admission-queue.js'
import type { InferenceCall } from '../../../src/inference/inference-call.js'
import type { ServiceError } from '../../../src/core/service-error.js'
import { patientCall } from './_fixture-host.js'

/** A task that ends when the test calls `finish`. */
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

describe('AdmissionQueue', () => {
  let tasks: ReturnType<typeof openTask>[]

  function add(queue: AdmissionQueue, call: Partial<InferenceCall> = {}) {
    const task = openTask()
    tasks.push(task)
    const answer = queue.run(patientCall(call), task.run)
    answer.catch(() => {})
    return { ...task, answer }
  }

  /** Sets the average service time of the queue by running one task. */
  async function learn(queue: AdmissionQueue, serviceMs: number): Promise<void> {
    await queue.run(patientCall(), () => new Promise((resolve) => setTimeout(resolve, serviceMs)))
    await turn()
  }

  beforeEach(() => (tasks = []))
  afterEach(() => tasks.forEach(({ finish }) => finish()))

  it('runs tasks up to its concurrency and queues the rest', async () => {
    const queue = new AdmissionQueue({ concurrency: 2, limit: 5 })
    const [first, second, third] = [add(queue), add(queue), add(queue)]
    expect(queue.load()).toEqual({ running: 2, waiting: 1 })

    first.finish()
    await turn()

    expect([second.isRunning(), third.isRunning()]).toEqual([true, true])
    expect(queue.load()).toEqual({ running: 2, waiting: 0 })
  })

  it('serves matches before openers before batches, and equal priorities in order', async () => {
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

  it('returns the result of a task and rethrows its error', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 1 })
    await expect(queue.run(patientCall(), async () => 7)).resolves.toBe(7)
    const failing = queue.run(patientCall(), async () => {
      throw new RangeError('no')
    })
    await expect(failing).rejects.toBeInstanceOf(RangeError)
    await turn()
    expect(queue.load()).toEqual({ running: 0, waiting: 0 })
  })

  it('refuses a call at once when the queue is full', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 1 })
    add(queue)
    add(queue)
    await expect(add(queue).answer).rejects.toMatchObject({
      code: 'overloaded',
      retryAfterSeconds: 1,
    })
    expect(queue.load()).toEqual({ running: 1, waiting: 1 })
  })

  describe('with a standing limit', () => {
    it('accepts a burst up to the full limit', async () => {
      const standing = { limit: 1, refillMs: 60_000, burstWaitMs: Infinity }
      const queue = new AdmissionQueue({ concurrency: 1, limit: 3, standing })
      for (let count = 0; count < 4; count += 1) add(queue)
      await expect(add(queue).answer).rejects.toMatchObject({ code: 'overloaded' })
      expect(queue.load()).toEqual({ running: 1, waiting: 3 })
    })

    it.each([
      ['limits a burst to the calls that can start within burstWaitMs', 1, 1],
      ['accepts a whole burst that can start within burstWaitMs', 60_000, 3],
    ])('%s', async (_what, burstWaitMs, waiting) => {
      const standing = { limit: 1, refillMs: 60_000, burstWaitMs }
      const queue = new AdmissionQueue({ concurrency: 1, limit: 3, standing })
      await learn(queue, 20)
      for (let count = 0; count < 4; count += 1) add(queue).answer.catch(() => undefined)
      await expect(add(queue).answer).rejects.toMatchObject({ code: 'overloaded' })
      expect(queue.load()).toEqual({ running: 1, waiting })
    })

    /** Uses up both burst places and ends all calls but the last. */
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

    it('accepts no more than the standing limit after a burst', async () => {
      const { queue } = await useUpBurst(60_000)
      add(queue)
      await expect(add(queue).answer).rejects.toMatchObject({ code: 'overloaded' })
      expect(queue.load()).toEqual({ running: 1, waiting: 1 })
    })

    it('accepts another burst once free slots have refilled the allowance', async () => {
      const { queue, last } = await useUpBurst(10)
      last.finish()
      await new Promise((resolve) => setTimeout(resolve, 50))
      for (let count = 0; count < 4; count += 1) add(queue)
      expect(queue.load()).toEqual({ running: 1, waiting: 3 })
    })
  })

  it('refuses a call that would wait beyond its deadline, with a retry time', async () => {
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

  it('ignores calls of lower priority when it estimates the wait', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 100 })
    await learn(queue, 100)
    for (let count = 0; count < 20; count += 1) add(queue, { priority: 'batch' })

    add(queue, { priority: 'match', deadline: Date.now() + 500 })

    expect(queue.load().waiting).toBe(20)
  })

  it('estimates no wait while a slot is free', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 1 })
    await learn(queue, 100)
    const hasty = add(queue, { deadline: Date.now() + 50 })
    expect(hasty.isRunning()).toBe(true)
  })

  it('refuses a call whose deadline has passed or whose signal is aborted', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 1 })
    const late = add(queue, { deadline: Date.now() })
    const gone = add(queue, { signal: AbortSignal.abort() })
    await expect(late.answer).rejects.toMatchObject({ code: 'overloaded' })
    await expect(gone.answer).rejects.toMatchObject({ name: 'AbortError' })
    expect([late.isRunning(), gone.isRunning()]).toEqual([false, false])
  })

  it('compares deadlines with the given clock', async () => {
    let now = 1_000
    const queue = new AdmissionQueue({ concurrency: 1, limit: 1, clock: () => now })
    await expect(queue.run(patientCall({ deadline: 2_000 }), async () => 7)).resolves.toBe(7)
    expect(queue.refusal(patientCall({ deadline: 2_000 }))).toBeUndefined()

    now = 2_000
    expect(queue.refusal(patientCall({ deadline: 2_000 }))?.code).toBe('overloaded')
  })

  it('removes a waiting call when its caller aborts', async () => {
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

  it('removes a waiting call when its deadline passes', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 1 })
    add(queue)
    const waiting = add(queue, { deadline: Date.now() + 20 })
    await expect(waiting.answer).rejects.toMatchObject({ code: 'overloaded' })
    expect(queue.load()).toEqual({ running: 1, waiting: 0 })
  })

  it('rejects an aborted running call at once, but keeps its slot until the task settles', async () => {
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

  it('keeps calls while paused and continues on resume', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 2 })
    queue.pause()
    const [first, second] = [add(queue), add(queue)]
    await turn()
    expect([first.isRunning(), second.isRunning()]).toEqual([false, false])
    queue.resume()
    expect([first.isRunning(), second.isRunning()]).toEqual([true, false])
  })

  it('rejectWaiting fails waiting calls and leaves running ones alone', async () => {
    const queue = new AdmissionQueue({ concurrency: 1, limit: 2 })
    const [running, waiting] = [add(queue), add(queue)]

    queue.rejectWaiting(new RangeError('closed'))

    await expect(waiting.answer).rejects.toBeInstanceOf(RangeError)
    running.finish()
    await expect(running.answer).resolves.toBeUndefined()
    expect(queue.load().waiting).toBe(0)
  })

  describe('with several tenants', () => {
    const [busy, quiet, large] = [
      { id: 'busy', weight: 1 },
      { id: 'quiet', weight: 1 },
      { id: 'large', weight: 3 },
    ]

    /** Queues tasks that take the same time, and returns the tenants in the order in which they were served. */
    async function serve(queue: AdmissionQueue, tenants: { id: string; weight: number }[]) {
      const order: string[] = []
      const answers = tenants.map((tenant) =>
        queue.run(patientCall({ tenant }), async () => {
          order.push(tenant.id)
          await new Promise((resolve) => setTimeout(resolve, 10))
        }),
      )
      await Promise.all(answers)
      return order
    }

    it('serves a tenant that asks little before the backlog of one that asks much', async () => {
      const queue = new AdmissionQueue({ concurrency: 1, limit: 100 })
      const order = await serve(queue, [...Array.from({ length: 10 }, () => busy!), quiet!])
      expect(order.indexOf('quiet')).toBeLessThanOrEqual(2)
    })

    it('shares by service time, not by number of calls', async () => {
      const queue = new AdmissionQueue({ concurrency: 1, limit: 100 })
      const order: string[] = []
      const ask = (tenant: { id: string; weight: number }, ms: number) =>
        queue.run(patientCall({ tenant }), async () => {
          order.push(tenant.id)
          await new Promise((resolve) => setTimeout(resolve, ms))
        })
      await Promise.all([
        ...Array.from({ length: 4 }, () => ask(busy!, 80)),
        ...Array.from({ length: 8 }, () => ask(quiet!, 5)),
      ])
      expect(order.slice(0, 10).filter((id) => id === 'busy').length).toBeLessThanOrEqual(2)
    })

    it('serves tenants in proportion to their weights', async () => {
      const queue = new AdmissionQueue({ concurrency: 1, limit: 100 })
      const tenants = Array.from({ length: 24 }, (_, index) => (index % 2 ? large! : quiet!))
      const order = await serve(queue, tenants)
      const ofLarge = order.slice(0, 12).filter((id) => id === 'large').length
      expect(ofLarge).toBeGreaterThanOrEqual(8)
      expect(ofLarge).toBeLessThanOrEqual(10)
    })

    it('gives a tenant that is alone the whole queue', async () => {
      const queue = new AdmissionQueue({ concurrency: 2, limit: 5 })
      for (let count = 0; count < 7; count += 1) add(queue, { tenant: busy! })
      expect(queue.load()).toEqual({ running: 2, waiting: 5 })
    })

    it('refuses the newest call of the longest backlog when a full queue gets a call of another tenant', async () => {
      const queue = new AdmissionQueue({ concurrency: 1, limit: 3 })
      const calls = Array.from({ length: 4 }, () => add(queue, { tenant: busy! }))
      const other = add(queue, { tenant: quiet! })
      await expect(calls[3]!.answer).rejects.toMatchObject({ code: 'overloaded' })
      expect(queue.load()).toEqual({ running: 1, waiting: 3 })

      calls[0]!.finish()
      await turn()
      expect([other.isRunning(), calls[1]!.isRunning()]).toEqual([true, false])
    })

    it('never gives up a call for a tenant that has as many waiting', async () => {
      const queue = new AdmissionQueue({ concurrency: 1, limit: 2 })
      add(queue, { tenant: busy! })
      add(queue, { tenant: busy! })
      add(queue, { tenant: quiet! })
      await expect(add(queue, { tenant: quiet! }).answer).rejects.toMatchObject({
        code: 'overloaded',
      })
    })

    it('lets each tenant have its own standing places and its own burst', async () => {
      const standing = { limit: 1, refillMs: 60_000, burstWaitMs: Infinity }
      const queue = new AdmissionQueue({ concurrency: 1, limit: 20, standing })
      // One runs, 20 wait: the standing place and the 19 of the burst are used up.
      for (let count = 0; count < 21; count += 1) add(queue, { tenant: busy! })
      for (const { finish } of tasks.slice(0, 20)) finish()
      while (queue.load().waiting > 0) await turn()
      add(queue, { tenant: busy! })
      await expect(add(queue, { tenant: busy! }).answer).rejects.toMatchObject({
        code: 'overloaded',
      })
      for (let count = 0; count < 5; count += 1) add(queue, { tenant: quiet! })
      expect(queue.load()).toEqual({ running: 1, waiting: 6 })
    })

    it('keeps places free for others once they have called', async () => {
      const queue = new AdmissionQueue({
        concurrency: 4,
        limit: 20,
        keepsPlacesFree: 'whileShared',
      })
      for (let count = 0; count < 6; count += 1) add(queue, { tenant: busy! })
      expect(queue.load()).toEqual({ running: 4, waiting: 2 })

      const other = add(queue, { tenant: quiet! })
      for (const { finish } of tasks.slice(0, 4)) finish()
      while (queue.load().running > 3 || !other.isRunning()) await turn()

      expect(queue.load()).toEqual({ running: 3, waiting: 0 })
      for (let count = 0; count < 6; count += 1) add(queue, { tenant: busy! })
      expect(queue.load()).toEqual({ running: 3, waiting: 6 })
      expect(add(queue, { tenant: quiet! }).isRunning()).toBe(true)
      const third = add(queue, { tenant: large! })
      expect(third.isRunning()).toBe(false)
      other.finish()
      while (!third.isRunning()) await turn()
    })

    it('expects a tenant to wait for its fair share only', async () => {
      const queue = new AdmissionQueue({ concurrency: 1, limit: 100 })
      await learn(queue, 100)
      for (let count = 0; count < 20; count += 1) add(queue, { tenant: busy! })
      expect(
        queue.refusal(patientCall({ tenant: busy!, deadline: Date.now() + 500 })),
      ).toBeDefined()
      expect(
        queue.refusal(patientCall({ tenant: quiet!, deadline: Date.now() + 500 })),
      ).toBeUndefined()
    })
  })

  it('reports how long each call waited', async () => {
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

  it('leaves no listeners on a shared signal', async () => {
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
