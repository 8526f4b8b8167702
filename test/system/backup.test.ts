import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import BetterSqlite3 from 'better-sqlite3'
import { matchBody } from './_profiles.js'
import { sleep, startServerProcess, type ServerProcess } from './_server-process.js'
import { describeOnSqlite } from '../_database.js'
import { describeWithWeights, MISSING_WEIGHTS } from '../_weights.js'

const run = promisify(execFile)

/** What the service has acknowledged, and when. */
interface Acknowledged {
  at: number
  requestId?: string
  eventKeys?: string[]
}

let server: ServerProcess
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'profile-service-backup-'))
  server = await startServerProcess()
}, 180_000)
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

/** Sends charged calls and events without a pause, until stopped or until the server is gone. */
function writeWithoutPause(requestId: string) {
  const acknowledged: Acknowledged[] = []
  let isStopped = false
  const repeat = async (work: () => Promise<void>) => {
    while (!isStopped) await work().catch(() => {})
  }
  const callMatch = async () => {
    const answer = await server.post('/v1/match/evaluate', await matchBody())
    const { request_id } = (await answer.json()) as { request_id: string }
    if (answer.ok) acknowledged.push({ at: Date.now(), requestId: request_id })
  }
  const sendEvents = async () => {
    const batch = inventEvents(requestId)
    const answer = await server.post('/v1/events', batch)
    const eventKeys = batch.map((event) => event.idempotency_key)
    if (answer.ok) acknowledged.push({ at: Date.now(), eventKeys })
    await sleep(20)
  }
  const loops = Promise.all([repeat(callMatch), repeat(sendEvents), repeat(sendEvents)])
  return {
    acknowledged,
    stop: async () => {
      isStopped = true
      await loops
    },
  }
}

function inventEvents(requestId: string) {
  return Array.from({ length: 20 }, () => ({
    ts: new Date().toISOString(),
    end_user_id: createHash('sha256').update(randomUUID()).digest('hex'),
    event: 'conversation_reply',
    idempotency_key: randomUUID(),
    context: { originating_request_id: requestId },
  }))
}

function admin(dataDir: string, ...args: string[]) {
  return run(process.execPath, ['dist/main.js', 'admin', ...args], {
    env: { ...process.env, NODE_OPTIONS: '', DATA_DIR: dataDir },
  })
}

// PostgreSQL is backed up with its own tools.
describeOnSqlite('the files of SQLite', () => {
  describeWithWeights('a backup under write load', MISSING_WEIGHTS, () => {
    it('contains everything acknowledged before it started, after kill -9 and a restore', async () => {
      const first = await server.post('/v1/match/evaluate', await matchBody())
      const { request_id } = (await first.json()) as { request_id: string }
      const load = writeWithoutPause(request_id)
      while (load.acknowledged.length < 50) await sleep(50)

      const beganAt = Date.now()
      const backup = path.join(folder, 'backup')
      await admin(server.dataDir, 'backup', backup)
      const duringBackup = load.acknowledged.filter(({ at }) => at >= beganAt).length
      server.child.kill('SIGKILL')
      await load.stop()

      // Restores on a new machine, and over the data folder of the killed server.
      const elsewhere = path.join(folder, 'elsewhere')
      const sameFolder = path.join(folder, 'same')
      await cp(server.dataDir, sameFolder, { recursive: true })
      for (const dataDir of [elsewhere, sameFolder]) {
        await admin(dataDir, 'restore', backup)
        const before = load.acknowledged.filter(({ at }) => at < beganAt)
        expect(duringBackup).toBeGreaterThan(0)
        expect(missingFrom(dataDir, before)).toEqual([])
      }
    }, 180_000)
  })
})

function missingFrom(dataDir: string, acknowledged: readonly Acknowledged[]): string[] {
  const db = new BetterSqlite3(path.join(dataDir, 'service.db'), { readonly: true })
  const hasCall = db.prepare('select 1 from service_calls where request_id = ?').pluck()
  const hasEvent = db.prepare('select 1 from events where idempotency_key = unhex(?)').pluck()
  const calls = acknowledged.flatMap(({ requestId }) => requestId ?? [])
  const keys = acknowledged.flatMap(({ eventKeys }) => eventKeys ?? [])
  const charged = db
    .prepare(
      `select sum(admitted) - (select count(*) from quota_leases where capability = 'match.evaluate')
       from quota_usage where capability = 'match.evaluate'`,
    )
    .pluck()
    .get() as number
  const missing = [
    ...calls.filter((id) => hasCall.get(id) === undefined),
    ...keys.filter((key) => hasEvent.get(key.replaceAll('-', '')) === undefined),
    ...(charged < calls.length ? [`charged ${charged} of ${calls.length} calls`] : []),
  ]
  db.close()
  return missing
}
