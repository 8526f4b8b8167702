import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { findFreePort } from '../../../bench/service/find-free-port.js'
import type { FaultEnvironment } from '../../environment/fault-environment.js'
import { startProgram } from '../../environment/run-program.js'
import type { PostgresServer } from './postgres-server.js'
import { requireProgram } from './require-program.js'

/** PgBouncer in transaction mode, as docs/scaling.md sets it up. */
export interface Pooler {
  /** URL of a database through the pooler. */
  urlOf(database: string): string
}

/** @throws SkippedScenario where PgBouncer is not installed */
export async function startPooler(
  environment: FaultEnvironment,
  postgres: PostgresServer,
): Promise<Pooler> {
  requireProgram('pgbouncer', 'pgbouncer')
  const port = await findFreePort()
  const file = path.join(postgres.folder, 'pgbouncer.ini')
  writeFileSync(file, formatSettings({ port, serverPort: postgres.port }))
  environment.keep(startProgram('pgbouncer', [file], postgres.runOptions))
  return { urlOf: (database) => `postgres://postgres@127.0.0.1:${port}/${database}` }
}

function formatSettings({ port, serverPort }: { port: number; serverPort: number }): string {
  return `[databases]
* = host=127.0.0.1 port=${serverPort} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 40
max_client_conn = 1000
query_wait_timeout = 4
`
}
