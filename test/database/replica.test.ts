import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import type { Database } from '../../src/database/open-database.js'
import { isAlive, Replica, type ReplicaOptions } from '../../src/database/postgres/replica.js'
import { describeOnPostgres, dropTestDatabase, openTestDatabase } from '../_database.js'

const SECOND = 1_000

describeOnPostgres('a replica', () => {
  let dataDir: string
  let db: Database
  let joined: Replica[]
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'replica-'))
    db = await openTestDatabase(dataDir)
    joined = []
  })
  afterEach(async () => {
    for (const replica of joined) await replica.leave()
    await db.destroy()
    await dropTestDatabase(dataDir)
    await rm(dataDir, { recursive: true })
  })

  async function join(options: Partial<ReplicaOptions> = {}): Promise<Replica> {
    const replica = await Replica.join(db, { onLost: () => {}, onRecovery: () => {}, ...options })
    joined.push(replica)
    return replica
  }

  const known = async () => {
    const rows = await db.selectFrom('replicas').select('id').execute()
    return rows.map(({ id }) => id).toSorted()
  }

  async function countsAsAlive(id: string): Promise<boolean | undefined> {
    const { rows } = await sql<{ alive: boolean }>`
      select ${isAlive(sql<string>`cast(${id} as text)`)} as alive
    `.execute(db)
    return rows[0]?.alive
  }

  const setLastBeat = (id: string, ago: number) =>
    sql`update replicas set beat_at = beat_at - ${ago} where id = ${id}`.execute(db)

  it('is known from its start to its clean stop', async () => {
    const [one, other] = [await join(), await join()]
    expect(await known()).toEqual([one.id, other.id].toSorted())
    await one.leave()
    expect(await known()).toEqual([other.id])
    expect(await countsAsAlive(one.id)).toBe(false)
    expect(await countsAsAlive(other.id)).toBe(true)
  })

  it('counts as dead 15 s after its last beat, by the clock of the database', async () => {
    const { id } = await join()
    await setLastBeat(id, 10 * SECOND)
    expect(await countsAsAlive(id)).toBe(true)
    await setLastBeat(id, 5 * SECOND)
    expect(await countsAsAlive(id)).toBe(false)
  })

  it('beats again and again', async () => {
    const { id } = await join({ intervalMs: 10 })
    await setLastBeat(id, 20 * SECOND)
    while (!(await countsAsAlive(id)));
    expect(await known()).toEqual([id])
  })

  it('forgets others a minute after their last beat', async () => {
    const [dead, stalled, alive] = [await join(), await join(), await join()]
    await setLastBeat(dead.id, 61 * SECOND)
    await setLastBeat(stalled.id, 30 * SECOND)
    await alive.beat()
    expect(await known()).toEqual([stalled.id, alive.id].toSorted())
  })

  it('is back with its next beat after it was forgotten', async () => {
    const [paused, other] = [await join(), await join()]
    await setLastBeat(paused.id, 61 * SECOND)
    await other.beat()
    await paused.beat()
    expect(await countsAsAlive(paused.id)).toBe(true)
  })

  it('knows that it is presumed dead, and makes sure that it is not before it begins anything', async () => {
    let now = 0
    const replica = await join({ uptime: () => now })
    now += 15 * SECOND - 1
    expect(replica.isPresumedDead).toBe(false)
    now += 1
    expect(replica.isPresumedDead).toBe(true)
    await setLastBeat(replica.id, 15 * SECOND)
    await replica.ensureAlive()
    expect(replica.isPresumedDead).toBe(false)
    expect(await countsAsAlive(replica.id)).toBe(true)
  })

  it('reports once that it cannot beat, and once that it can again', async () => {
    let now = 0
    const reports: string[] = []
    const replica = await join({
      uptime: () => now,
      intervalMs: 10,
      onLost: () => reports.push('lost'),
      onRecovery: () => reports.push('recovered'),
    })
    await sql`alter table replicas rename to replicas_away`.execute(db)
    now += 16 * SECOND
    while (reports.length === 0) await replica.beat().catch(() => {})
    await expect(replica.ensureAlive()).rejects.toThrow(/replicas/)
    await sql`alter table replicas_away rename to replicas`.execute(db)
    while (replica.isPresumedDead) await replica.beat().catch(() => {})
    await replica.beat()
    expect(reports).toEqual(['lost', 'recovered'])
  })
})
