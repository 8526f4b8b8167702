/**
 * Requests to reload, which may come at any time: one that comes before the service can reload is kept, and those that
 * come during a reload are answered by one more reload, because it reads everything again.
 */
export class ReloadRequests {
  #reload: (() => Promise<void>) | undefined
  #isWanted = false
  #isRunning = false

  request(): void {
    this.#isWanted = true
    void this.#run()
  }

  /** @param reload - must not reject */
  handleWith(reload: () => Promise<void>): void {
    this.#reload = reload
    void this.#run()
  }

  async #run(): Promise<void> {
    if (!this.#reload || this.#isRunning) return
    this.#isRunning = true
    while (this.#isWanted) {
      this.#isWanted = false
      await this.#reload()
    }
    this.#isRunning = false
  }
}

/**
 * Takes SIGUSR2, and SIGHUP for a service without a terminal, as requests to reload; on a terminal SIGHUP means that the
 * terminal was closed. Call it before anything else is loaded: until then these signals end the process.
 */
export function takeReloadSignals(): ReloadRequests {
  const requests = new ReloadRequests()
  process.on('SIGUSR2', () => requests.request())
  if (!process.stdout.isTTY) process.on('SIGHUP', () => requests.request())
  return requests
}
