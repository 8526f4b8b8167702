import type pg from 'pg'

/**
 * Marks the text of a prepared query on PostgreSQL until it is sent: it never changes, so a connection can keep its plan.
 */
export const PREPARED = '/* prepared */ '

/**
 * Gives prepared queries names, so that PostgreSQL parses and plans each once a connection in place of every time. Only where the connection
 * leads to the server itself: behind a pooler in transaction mode the next query may run on another one, which does not know the name.
 */
export class NamedStatements {
  readonly #names = new Map<string, string>()
  /** Whether a connection leads to the server itself. */
  readonly #isDirect = new WeakMap<pg.PoolClient, boolean>()

  /**
   * Finds out where a new connection leads; does nothing for a known one. A pooler makes up the process that it names when a
   * connection opens, because it serves many from one.
   */
  async lookAt(client: pg.PoolClient): Promise<void> {
    if (this.#isDirect.has(client)) return
    const { processID } = client as pg.PoolClient & { processID?: number | null }
    try {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
      this.#isDirect.set(client, rows[0]?.pid === processID)
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  toQuery(client: pg.PoolClient, text: string, values: readonly unknown[] = []): pg.QueryConfig {
    const isPrepared = text.startsWith(PREPARED)
    const query = { text: isPrepared ? text.slice(PREPARED.length) : text, values: [...values] }
    if (!isPrepared || !this.#isDirect.get(client)) return query
    return { ...query, name: this.#nameOf(text) }
  }

  #nameOf(text: string): string {
    const known = this.#names.get(text)
    if (known !== undefined) return known
    const name = `prepared_${this.#names.size}`
    this.#names.set(text, name)
    return name
  }
}
