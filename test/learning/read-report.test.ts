import { dayOf, dayStart } from '../../src/events/calendar.js'
import { HALF_LIVES } from '../../src/learning/choose-half-lives.js'
import { readLearningReport } from '../../src/learning/read-report.js'
import { DEFAULT_SETTINGS } from '../../src/learning/learning-settings.js'
import { LIVE, NOW, openEventStore, OTHER, TEST, type EventStore } from '../events/_event-store.js'
import { addBuckets, addEvidence } from './_stored-evidence.js'

/** A Wednesday. */
const TODAY = dayOf(NOW)
/** The last day whose replies have all had their time. */
const SETTLED = TODAY - 4

let store: EventStore

beforeEach(async () => {
  store = await openEventStore()
})
afterEach(() => store.remove())

function read(scope = LIVE, isPooled = false) {
  const config = { learning: { isAllowed: true, isPooled } }
  return readLearningReport({ db: store.db, config }, scope, NOW)
}

async function set(settings: Record<string, string | number>): Promise<void> {
  const { id } = await store.db
    .selectFrom('event_scopes')
    .select('id')
    .where('organization_id', '=', LIVE.organizationId)
    .where('environment', '=', LIVE.environment)
    .executeTakeFirstOrThrow()
  const row = { scope_id: id, state: 'on', control_percent: 10, ...settings }
  await store.db.insertInto('learning_settings').values(row).execute()
}

/**
 * Openers of 30 buckets of each arm on one day: 10 sent in each, `learned` and `control` of them replied to on average, one more in
 * every other bucket and one fewer in those between.
 */
async function addArms(day: number, replied: { learned: number; control: number }) {
  for (const arm of ['learned', 'control'] as const) {
    const rows = Array.from({ length: 30 }, (_, bucket) => ({ day, arm, bucket, sent: 10 }))
    await addBuckets(
      store.db,
      LIVE,
      rows.map((row) => ({ ...row, replied: replied[arm] + (row.bucket % 2 === 0 ? 1 : -1) })),
    )
  }
}

describe('the report of an environment', () => {
  it('is empty before anything was reported', async () => {
    expect(await read()).toEqual({
      isAllowed: true,
      settings: DEFAULT_SETTINGS,
      evidence: { sent: 0, effective: 0, waiting: 0, needed: 200, since: undefined },
      uplift: {
        since: undefined,
        learned: { sent: 0, replied: 0 },
        control: { sent: 0, replied: 0 },
        difference: undefined,
      },
      weeks: [],
      styles: [],
      traits: [],
      exploration: 1,
    })
  })

  it('compares the reply rates of both arms', async () => {
    await addArms(SETTLED, { learned: 4, control: 3 })
    const { uplift } = await read()
    expect(uplift).toMatchObject({
      since: dayStart(SETTLED),
      learned: { sent: 300, replied: 120 },
      control: { sent: 300, replied: 90 },
    })
    expect(uplift.difference!.value).toBeCloseTo(0.1, 12)
  })

  it('leaves out days that still wait for replies', async () => {
    await addArms(SETTLED + 1, { learned: 4, control: 3 })
    await addEvidence(store.db, LIVE, [
      { day: SETTLED, sent: 5 },
      { day: SETTLED + 1, sent: 7 },
      { day: TODAY, sent: 2 },
    ])
    const { uplift, evidence } = await read()
    expect(uplift.learned.sent).toBe(0)
    expect(evidence).toMatchObject({ sent: 5, waiting: 9, since: dayStart(SETTLED) })
  })

  it('has the openers of each ISO week, also of weeks without any', async () => {
    // The last settled day is a Saturday, so these are in three weeks, of which the middle one is empty.
    await addArms(SETTLED, { learned: 4, control: 3 })
    await addArms(SETTLED - 14, { learned: 2, control: 1 })
    await addArms(SETTLED - 15, { learned: 2, control: 1 })
    const { weeks } = await read()
    expect(weeks.map(({ week, learned, control }) => [week, learned, control])).toEqual([
      ['2026-W26', { sent: 600, replied: 120 }, { sent: 600, replied: 60 }],
      ['2026-W27', { sent: 0, replied: 0 }, { sent: 0, replied: 0 }],
      ['2026-W28', { sent: 300, replied: 120 }, { sent: 300, replied: 90 }],
    ])
  })

  it('compares from the restart of the comparison on', async () => {
    await addArms(SETTLED - 1, { learned: 9, control: 0 })
    await addArms(SETTLED, { learned: 4, control: 3 })
    await set({ measured_from_day: SETTLED })
    const { uplift, weeks } = await read()
    expect(uplift).toMatchObject({ since: dayStart(SETTLED), learned: { sent: 300, replied: 120 } })
    expect(weeks).toHaveLength(1)
  })

  it('shows what was learnt of styles and traits once there is enough evidence', async () => {
    await addEvidence(store.db, LIVE, [
      { day: SETTLED, style: 'open_question', sent: 300, replied: 150 },
      { day: SETTLED, style: 'photo_callback', sent: 300, replied: 30 },
    ])
    const { styles, traits, exploration, evidence } = await read()
    expect(evidence.effective).toBeGreaterThan(500)
    const warm = styles.filter(({ tone }) => tone === 'warm')
    const best = warm.toSorted((left, right) => right.firstShare - left.firstShare)[0]!
    expect(best).toMatchObject({ style: 'open_question', sent: 300 })
    expect(best.probabilityAboveAverage).toBeGreaterThan(0.99)
    expect(traits).not.toHaveLength(0)
    expect(exploration).toBeLessThan(0.5)
  })

  it('shows nothing learnt below the needed evidence', async () => {
    await addEvidence(store.db, LIVE, [{ day: SETTLED, sent: 100, replied: 50 }])
    expect(await read()).toMatchObject({ styles: [], traits: [], exploration: 1 })
  })

  it('stands still during a pause', async () => {
    await addEvidence(store.db, LIVE, [
      { day: SETTLED - 30, sent: 300, replied: 150 },
      { day: SETTLED - 20, sent: 40, replied: 0 },
    ])
    await set({ state: 'paused', learns_until_day: SETTLED - 25 })
    const { evidence } = await read()
    // Faded by the nine days that the last openers before the pause needed to be settled.
    expect(evidence).toMatchObject({ sent: 300, waiting: 0 })
    const halvings = 9 / HALF_LIVES[0]!.days
    expect(evidence.effective).toBeCloseTo(300 * 2 ** -halvings, 9)
  })

  it('leaves out what was sent before a reset', async () => {
    await addEvidence(store.db, LIVE, [
      { day: SETTLED - 1, sent: 300 },
      { day: SETTLED, sent: 20 },
    ])
    await set({ learns_from_day: SETTLED })
    expect((await read()).evidence).toMatchObject({ sent: 20, since: dayStart(SETTLED) })
  })

  it('takes nothing from other environments and organisations', async () => {
    await addEvidence(store.db, TEST, [{ day: SETTLED, sent: 1_000, replied: 1_000 }])
    await addEvidence(store.db, OTHER, [{ day: SETTLED, sent: 1_000, replied: 1_000 }])
    expect(await read()).toMatchObject({ evidence: { sent: 0, effective: 0 }, styles: [] })
  })
})

describe('a pooled prior', () => {
  const rows = [
    { day: SETTLED, style: 'open_question', sent: 500, replied: 250 },
    { day: SETTLED, style: 'photo_callback', sent: 500, replied: 50 },
  ]

  it('comes from the live environments of other organisations', async () => {
    await addEvidence(store.db, OTHER, rows)
    const { styles, evidence } = await read(LIVE, true)
    expect(evidence.sent).toBe(0)
    expect(styles).not.toHaveLength(0)
  })

  it('neither comes from a test environment nor reaches one', async () => {
    await addEvidence(store.db, { ...OTHER, environment: 'test' }, rows)
    expect((await read(LIVE, true)).styles).toEqual([])
    await addEvidence(store.db, OTHER, rows)
    expect((await read(TEST, true)).styles).toEqual([])
  })

  it('leaves out the receiver, and whoever switched learning off', async () => {
    await addEvidence(store.db, LIVE, rows)
    await set({ state: 'off' })
    expect((await read(OTHER, true)).styles).toEqual([])
  })
})
