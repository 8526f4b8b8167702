import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fillDatabase } from '../../src/tools/demo/history/fill-database.js'
import { fillHistory } from '../../src/tools/demo/history/fill-history.js'
import { parseSelection, parseStoredOpeners } from '../../src/events/written-openers.js'
import { replyRateByStyle } from '../../src/events/reply-rate-by-style.js'
import { isMarkedSynthetic } from '../../src/database/synthetic-mark.js'
import { usageByCapability } from '../../src/usage/usage-report.js'
import { describeOnSqlite } from '../_database.js'
import { DAY, openStorage, type StorageFixture } from '../organizations/_storage.js'

let storage: StorageFixture

beforeEach(async () => {
  storage = await openStorage()
})
afterEach(() => storage.remove())

describe('a synthetic history', () => {
  // At some times of the day, random usage was once lower than the number of events.
  it.each([0, 7.5, 23.9])('is marked and consistent at %s h', async (hour) => {
    const now = Date.UTC(2026, 10, 22) + hour * 60 * 60 * 1_000
    const { db } = storage
    expect(await isMarkedSynthetic(db)).toBe(false)
    const { organizationId, events } = await fillDatabase(storage, { eventCount: 2_000, now })
    expect(await isMarkedSynthetic(db)).toBe(true)
    const organization = await db
      .selectFrom('organizations')
      .select('name')
      .where('id', '=', organizationId)
      .executeTakeFirstOrThrow()
    expect(organization.name).toMatch(/^Synthetic data/)
    const year = {
      organizationId,
      environment: 'live',
      from: now - 366 * DAY,
      to: now + 1,
    } as const
    const styles = await replyRateByStyle(db, year)
    const [sent, replied] = (['sent', 'replied'] as const).map((what) =>
      styles.reduce((sum, style) => sum + style[what], 0),
    )
    expect(sent! + replied!).toBeCloseTo(events)
    // One style has too few sends for a reliable rate, on purpose.
    const rare = styles.find(({ style }) => style === 'confident_direct')?.sent
    expect(rare).toBeGreaterThan(5)
    expect(rare).toBeLessThan(10)
    const usage = await usageByCapability(db, { ...year, step: 'day' })
    const openers = usage.find(({ capability }) => capability === 'conversation.openers')
    expect(openers?.outcomes.get('ok')).toBeGreaterThanOrEqual(sent!)
  })

  it('has openers of both arms, and keeps every end user on one side', async () => {
    const now = Date.UTC(2026, 10, 22, 12)
    const { db } = storage
    await fillDatabase(storage, { eventCount: 2_000, now })
    const calls = await db
      .selectFrom('events')
      .innerJoin('service_calls', 'service_calls.id', 'events.call_id')
      .select(['end_user_id', 'openers', 'selection'])
      .where('selection', 'is not', null)
      .execute()
    const armsOf = new Map<number, Set<string>>()
    for (const { end_user_id, openers, selection } of calls) {
      const { arm, styles, probabilities } = parseSelection(selection)!
      armsOf.set(end_user_id, (armsOf.get(end_user_id) ?? new Set()).add(arm))
      const written = parseStoredOpeners(openers)
      expect(written.map(({ style }) => style)).toEqual(styles.slice(0, written.length))
      expect(written.every(({ score }) => score! > 0.5 && score! < 1)).toBe(true)
      expect(probabilities === null).toBe(arm === 'control')
      const total = probabilities?.reduce((sum, probability) => sum + probability, 0) ?? 1
      expect(total).toBeCloseTo(1)
    }
    const arms = [...armsOf.values()]
    expect(arms.every(({ size }) => size === 1)).toBe(true)
    expect(new Set(arms.flatMap((own) => [...own]))).toEqual(new Set(['learned', 'control']))
  })

  it('never replaces a folder with other content', async () => {
    const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'something-else-'))
    const fill = fillHistory(['--history', '--data-dir', folder])
    await expect(fill).rejects.toThrow('holds no synthetic database')
    await fs.rmdir(folder)
  })
})

describeOnSqlite('a synthetic history in a file', () => {
  it('never replaces a real database', async () => {
    const database = path.join(storage.dataDir, 'service.db')
    const before = await fs.stat(database)
    const fill = fillHistory(['--history', '--events', '1000', '--data-dir', storage.dataDir])
    await expect(fill).rejects.toThrow('holds a real database')
    expect((await fs.stat(database)).ino).toBe(before.ino)
  })
})
