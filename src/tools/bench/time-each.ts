import { setImmediate } from 'node:timers/promises'

/** Runs the tasks one after the other and returns the milliseconds that each took. */
export async function timeEach(tasks: readonly (() => unknown)[]): Promise<number[]> {
  const times: number[] = []
  for (const task of tasks) {
    // The database answers synchronously, so without a macrotask no signal would be handled.
    await setImmediate()
    const startedAt = performance.now()
    await task()
    times.push(performance.now() - startedAt)
  }
  return times
}

/** Runs a task a number of times and returns the milliseconds of each run. */
export function timeRepeatedly(count: number, task: () => unknown): Promise<number[]> {
  return timeEach(Array.from({ length: count }, () => task))
}
