import { StorageError } from './storage-failure.js'

/** Gives the only connection to one caller at a time, in order of arrival. */
export class ConnectionQueue {
  readonly #maxWaitMs: number
  readonly #waiting = new Set<() => void>()
  #isTaken = false

  /** @param maxWaitMs - after this long the caller gets an error */
  constructor(maxWaitMs: number) {
    this.#maxWaitMs = maxWaitMs
  }

  /** @throws StorageError when the connection does not become free in time */
  acquire(): Promise<void> {
    if (this.#isTaken) return this.#wait()
    this.#isTaken = true
    return Promise.resolve()
  }

  /** Passes the connection to the next caller. */
  release(): void {
    const [next] = this.#waiting
    if (next) next()
    else this.#isTaken = false
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const take = () => {
        clearTimeout(timer)
        this.#waiting.delete(take)
        resolve()
      }
      const timer = setTimeout(() => {
        this.#waiting.delete(take)
        reject(new StorageError('locked'))
      }, this.#maxWaitMs)
      this.#waiting.add(take)
    })
  }
}
