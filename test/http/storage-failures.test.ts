import fs from 'node:fs/promises'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import BetterSqlite3 from 'better-sqlite3'
import { sql } from 'kysely'
import { generateToken } from '../../src/accounts/link-token.js'
import { describeOnSqlite } from '../_database.js'
import { readJson } from '../_read-json.js'
import { createRecordingLog, until } from '../inference/workers/_fixture-host.js'
import { dataUrl, startService, type Answer, type Service } from './_service.js'

let service: Service
let log: ReturnType<typeof createRecordingLog>
let dataDir: string
let requestId: string

beforeEach(async () => {
  log = createRecordingLog()
  service = await startService({ log, env: { METRICS_TOKEN: 'a-token-of-some-length' } })
  dataDir = service.context.config.dataDir
  requestId = (await writeOpeners()).body.request_id
})
afterEach(() => service.close())

async function writeOpeners(): Promise<Answer> {
  const recipient = { id: 'r', photos: [await dataUrl()], bio: 'My cat and I like sourdough.' }
  return service.post('/v1/conversation/openers', { sender: { id: 's', name: 'Sam' }, recipient })
}

let reported = 0

/** Reports an event of its own, whose answer promises that it is stored. */
async function reportEvent(): Promise<Answer> {
  reported += 1
  return service.post('/v1/events', [
    {
      ts: new Date().toISOString(),
      end_user_id: 'a'.repeat(64),
      event: 'opener_sent',
      idempotency_key: `00000000-0000-4000-8000-${String(reported).padStart(12, '0')}`,
      context: { originating_request_id: requestId },
    },
  ])
}

const get = (route: string) =>
  fetch(service.baseUrl + route, { headers: { Authorization: 'Bearer a-token-of-some-length' } })

const storage = async () => (await readJson(await get('/readyz'))).storage
const pragma = (text: string) => sql.raw(`pragma ${text}`).execute(service.context.db)
const database = () => path.join(dataDir, 'service.db')
const changes = () => log.lines.filter(({ message }) => message.startsWith('the database can'))

async function until503(): Promise<Answer> {
  let answer = await reportEvent()
  while (answer.status === 200) answer = await reportEvent()
  return answer
}

const UNAVAILABLE = { error: 'storage_unavailable', message: expect.any(String) }

describeOnSqlite('a disk that is full', () => {
  beforeEach(async () => {
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(
      service.context.db,
    )
    await pragma(`max_page_count = ${rows[0]!.page_count}`)
  })

  it('answers 503 with Retry-After, and is logged once and counted by its code', async () => {
    const answer = await until503()
    expect(answer.status).toBe(503)
    expect(answer.body).toMatchObject(UNAVAILABLE)
    expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    await reportEvent()
    await reportEvent()
    expect(changes()).toEqual([
      expect.objectContaining({ level: 'error', fields: { state: 'full', reason: 'SQLITE_FULL' } }),
    ])
    expect(log.lines.filter(({ message }) => message === 'unexpected failure')).toEqual([])
    const metrics = await (await get('/metrics')).text()
    expect(metrics).toMatch(/pis_storage_errors_total\{code="SQLITE_FULL"\} [1-9]/)
    expect(metrics).toContain('pis_storage_state{state="full"} 1')
    expect(metrics).toContain('pis_storage_state{state="ok"} 0')
  })

  it('makes the service unready, with the reason, until it has room again', async () => {
    await until503()
    const ready = await get('/readyz')
    expect(ready.status).toBe(503)
    expect(await readJson(ready)).toMatchObject({
      storage: 'full',
      reason: expect.stringContaining('SQLITE_FULL'),
    })
    expect((await get('/healthz')).status).toBe(200)
    await pragma('max_page_count = 1000000')
    await until(async () => (await get('/readyz')).status === 200)
    expect((await reportEvent()).status).toBe(200)
    expect(changes().at(-1)).toMatchObject({ level: 'info', fields: { state: 'ok' } })
  })
})

describeOnSqlite('a database that cannot be written', () => {
  it('answers 503 and recovers by itself', async () => {
    await pragma('query_only = on')
    const answer = await writeOpeners()
    expect([answer.status, answer.body.error]).toEqual([503, 'storage_unavailable'])
    expect(await storage()).toBe('read_only')
    await pragma('query_only = off')
    await until(async () => (await storage()) === 'ok')
    expect((await writeOpeners()).status).toBe(200)
  })
})

describeOnSqlite('a deleted file of the database', () => {
  describe.each(['', '-wal', '-shm'])('service.db%s', (suffix) => {
    it('is noticed before anything more is acknowledged', async () => {
      await fs.rename(database() + suffix, `${database()}.elsewhere`)
      const answer = await reportEvent()
      expect(answer.status).toBe(503)
      expect(answer.body).toMatchObject(UNAVAILABLE)
      expect((await get('/readyz')).status).toBe(503)
      await fs.rename(`${database()}.elsewhere`, database() + suffix)
      await until(async () => (await get('/readyz')).status === 200)
      expect((await reportEvent()).status).toBe(200)
    })

    it('is noticed without any call', async () => {
      await fs.rename(database() + suffix, `${database()}.elsewhere`)
      await until(async () => (await storage()) === 'missing')
      expect(changes()).toHaveLength(1)
      await fs.rename(`${database()}.elsewhere`, database() + suffix)
    })
  })
})

describeOnSqlite('a page of the portal', () => {
  it('says that the database cannot be used', async () => {
    await fs.rename(database(), `${database()}.elsewhere`)
    await until(async () => (await storage()) === 'missing')
    const page = await fetch(`${service.baseUrl}/portal`, {
      headers: { Cookie: `portal=${generateToken()}` },
    })
    await fs.rename(`${database()}.elsewhere`, database())
    expect(page.status).toBe(503)
    expect(page.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(await page.text()).toContain('The portal is not available')
  })
})

describeOnSqlite('a data folder that is moved away', () => {
  it('keeps the service from answering, even when another database takes its place', async () => {
    const elsewhere = `${dataDir}-elsewhere`
    await fs.rename(dataDir, elsewhere)
    try {
      expect((await reportEvent()).status).toBe(503)
      const second = await startService({ env: { PUBLIC_URL: '' } })
      await fs.cp(second.context.config.dataDir, dataDir, { recursive: true })
      await second.close()
      expect((await reportEvent()).status).toBe(503)
      expect(await storage()).toBe('missing')
      await fs.rm(dataDir, { recursive: true })
    } finally {
      await fs.rename(elsewhere, dataDir)
    }
    await until(async () => (await storage()) === 'ok')
    expect((await reportEvent()).status).toBe(200)
  })
})

describeOnSqlite('an emptied database', () => {
  it('is noticed, and nothing more is acknowledged', async () => {
    await fs.truncate(database())
    expect((await reportEvent()).status).toBe(503)
    expect((await get('/readyz')).status).toBe(503)
  })
})

describeOnSqlite('a lock of another process', () => {
  let other: BetterSqlite3.Database
  beforeEach(() => {
    other = new BetterSqlite3(database(), { timeout: 0 })
    other.exec('begin exclusive')
  })
  afterEach(() => void other.close())

  it('does not block the event loop while calls wait for it', async () => {
    const waiting = reportEvent()
    for (let i = 0; i < 20; i++) expect((await get('/healthz')).status).toBe(200)
    other.exec('rollback')
    expect((await waiting).status).toBe(200)
  })

  it('is answered with 503 when it lasts, without a wait for further calls, and recovers', async () => {
    const answers = await Promise.all([reportEvent(), reportEvent(), reportEvent()])
    for (const answer of answers) {
      expect([answer.status, answer.body.error]).toEqual([503, 'storage_unavailable'])
    }
    const startedAt = performance.now()
    expect((await reportEvent()).status).toBe(503)
    // It would be five seconds.
    expect(performance.now() - startedAt).toBeLessThan(2_500)
    expect(await storage()).toBe('locked')
    other.exec('rollback')
    await until(async () => (await storage()) === 'ok')
    expect((await reportEvent()).status).toBe(200)
    expect(changes()).toHaveLength(2)
  }, 30_000)
})
