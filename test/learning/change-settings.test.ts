import { changeLearning, type LearningChange } from '../../src/learning/change-settings.js'
import { DEFAULT_SETTINGS } from '../../src/learning/learning-settings.js'
import { readLearningSettings } from '../../src/learning/read-settings.js'
import { dayOf } from '../../src/events/calendar.js'
import { listAudit } from '../../src/organizations/audit-log.js'
import { ServerSecret } from '../../src/organizations/server-secret.js'
import { LIVE, NOW, openEventStore, OTHER, TEST, type EventStore } from '../events/_event-store.js'

const TODAY = dayOf(NOW)
const ACT = { actor: 'portal:acc_1', now: NOW }

let store: EventStore

beforeEach(async () => {
  store = await openEventStore()
})
afterEach(() => store.remove())

function change(
  wanted: LearningChange,
  { scope = LIVE, act = ACT, learner = undefined as never } = {},
) {
  const secret = new ServerSecret(Buffer.alloc(32, 1))
  return changeLearning({ db: store.db, secret, learner }, scope, wanted, act)
}

async function listChanges() {
  const entries = await listAudit(store.db, { limit: 10 })
  return entries.map(({ action, actor, organizationId, details }) => ({
    action,
    actor,
    organizationId,
    details,
  }))
}

describe('the settings of the learner', () => {
  it('are the defaults until somebody changes them', async () => {
    expect(await readLearningSettings(store.db, LIVE)).toEqual(DEFAULT_SETTINGS)
  })

  it('are kept for one environment of one organisation', async () => {
    const changed = await change({ state: 'off', controlPercent: 20 })
    expect(changed).toMatchObject({ state: 'off', controlPercent: 20 })
    expect(await readLearningSettings(store.db, LIVE)).toEqual(changed)
    expect(await readLearningSettings(store.db, TEST)).toEqual(DEFAULT_SETTINGS)
    expect(await readLearningSettings(store.db, OTHER)).toEqual(DEFAULT_SETTINGS)
  })

  it('restart the comparison with the next day when the control share changes', async () => {
    expect(await change({ controlPercent: 20 })).toMatchObject({ measuredFromDay: TODAY + 1 })
    const later = { ...ACT, now: NOW + 5 * 24 * 60 * 60 * 1_000 }
    expect(await change({ controlPercent: 20 }, { act: later })).toMatchObject({
      measuredFromDay: TODAY + 1,
    })
  })

  it('stop learning with the day of a pause, and go on after it', async () => {
    expect(await change({ state: 'paused' })).toMatchObject({ learnsUntilDay: TODAY })
    const later = { ...ACT, now: NOW + 5 * 24 * 60 * 60 * 1_000 }
    expect(await change({ state: 'paused' }, { act: later })).toMatchObject({
      learnsUntilDay: TODAY,
    })
    expect(await change({ state: 'on' }, { act: later })).toMatchObject({ learnsUntilDay: null })
  })

  it('record who changed what', async () => {
    await change({ state: 'paused', controlPercent: 25 })
    await change({ reset: true })
    const common = { actor: 'portal:acc_1', organizationId: 'org_a' }
    const details = { environment: 'live' }
    expect(await listChanges()).toEqual([
      { ...common, action: 'learning.reset', details },
      {
        ...common,
        action: 'learning.control_share_changed',
        details: { ...details, from: 10, to: 25 },
      },
      {
        ...common,
        action: 'learning.state_changed',
        details: { ...details, from: 'on', to: 'paused' },
      },
    ])
  })

  it('record nothing when nothing changes', async () => {
    await change({ state: 'on', controlPercent: 10 })
    expect(await listChanges()).toEqual([])
  })

  it.each([4, 51, 10.5, Number.NaN])('refuse a control share of %p %', async (controlPercent) => {
    await expect(change({ controlPercent })).rejects.toMatchObject({ code: 'invalid' })
    expect(await readLearningSettings(store.db, LIVE)).toEqual(DEFAULT_SETTINGS)
  })

  it('are noticed at once by the learner of this process', async () => {
    const noticed: unknown[] = []
    const learner = { notice: (scope: unknown) => void noticed.push(scope) }
    await change({ state: 'off' }, { learner: learner as never })
    expect(noticed).toEqual([LIVE])
  })
})

describe('a reset', () => {
  const evidence = {
    day: TODAY - 9,
    tone: 'warm',
    style: 'open_question',
    is_question: 1,
    detail: 'bio',
    length_band: 0,
    score_band: 0,
    sent: 60,
    replied: 0,
  }
  const bucket = { day: TODAY - 9, arm: 'learned', bucket: 7, sent: 60, replied: 0 }

  beforeEach(async () => {
    await store.openersCall('req_1', ['open_question'])
    await store.db
      .insertInto('event_scopes')
      .values({ organization_id: OTHER.organizationId, environment: 'live' })
      .execute()
    const scopes = await store.db.selectFrom('event_scopes').select('id').execute()
    for (const { id } of scopes) {
      await store.db
        .insertInto('learning_evidence')
        .values({ scope_id: id, ...evidence })
        .execute()
      await store.db
        .insertInto('learning_buckets')
        .values({ scope_id: id, ...bucket })
        .execute()
    }
  })

  it('deletes the evidence of this environment alone', async () => {
    await change({ reset: true })
    for (const table of ['learning_evidence', 'learning_buckets'] as const) {
      const rows = await store.db
        .selectFrom(table)
        .innerJoin('event_scopes', 'event_scopes.id', 'scope_id')
        .select('organization_id')
        .execute()
      expect(rows).toEqual([{ organization_id: OTHER.organizationId }])
    }
  })

  it('begins with the next day, with the settings as they were', async () => {
    await change({ controlPercent: 30 })
    expect(await change({ reset: true })).toEqual({
      state: 'on',
      controlPercent: 30,
      learnsFromDay: TODAY + 1,
      learnsUntilDay: null,
      measuredFromDay: TODAY + 1,
    })
  })
})
