import type { ReplicaProcess } from './_replicas.js'

export interface Reply {
  status: number
  headers: Headers
  text: string
}

/** Spreads calls over servers in turn, as a load balancer does, and repeats none. */
export class Balancer {
  readonly #servers: Set<ReplicaProcess>
  readonly #inFlight = new Map<ReplicaProcess, number>()
  readonly #apiKey: string
  #turn = 0

  constructor(servers: readonly ReplicaProcess[], apiKey: string) {
    this.#servers = new Set(servers)
    this.#apiKey = apiKey
  }

  /** Sends nothing more to a server; what it has received goes on. */
  remove(server: ReplicaProcess): void {
    this.#servers.delete(server)
  }

  add(server: ReplicaProcess): void {
    this.#servers.add(server)
  }

  /** Calls sent to a server and not answered. */
  countInFlight(server: ReplicaProcess): number {
    return this.#inFlight.get(server) ?? 0
  }

  /** Sends a call to the server whose turn it is. */
  async post(route: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
    const servers = [...this.#servers]
    return this.postTo(servers[this.#turn++ % servers.length]!, route, { body, headers })
  }

  async postTo(
    server: ReplicaProcess,
    route: string,
    { body, headers = {} }: { body: unknown; headers?: Record<string, string> },
  ): Promise<Reply> {
    this.#inFlight.set(server, this.countInFlight(server) + 1)
    try {
      const response = await fetch(server.baseUrl + route, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${this.#apiKey}`,
          'Content-Type': 'application/json',
          ...headers,
        },
        body: JSON.stringify(body),
      })
      return { status: response.status, headers: response.headers, text: await response.text() }
    } finally {
      this.#inFlight.set(server, this.countInFlight(server) - 1)
    }
  }
}
