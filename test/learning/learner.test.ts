import { dayOf } from '../../src/events/calendar.js'
import type { EventScope } from '../../src/events/event-scope.js'
import { changeLearning } from '../../src/learning/change-settings.js'
import { computeFit } from '../../src/learning/compute-fit.js'
import { createLearner, type Learner } from '../../src/learning/learner.js'
import type { Fit } from '../../src/learning/start-fit-thread.js'
import type { PolicyChoice } from '../../src/openers/opener-policy.js'
import { ServerSecret } from '../../src/organizations/server-secret.js'
import { createMetrics, type Metrics } from '../../src/telemetry/metrics.js'
import {
  DAY,
  LIVE,
  NOW,
  openEventStore,
  OTHER,
  TEST,
  type EventStore,
} from '../events/_event-store.js'
import { createRecordingLog, until, type RecordingLog } from '../inference/workers/_fixture-host.js'
import { addBuckets, addEvidence } from './_stored-evidence.js'

const SETTLED = dayOf(NOW) - 4
const MINUTE = 60_000
/** As the fixed order of a tone would have them. */
const STYLES = ['open_question', 'photo_callback', 'confident_direct'] as const
/** The last style gets replies to half of its openers, the others to one in ten. */
const EVIDENCE = STYLES.map((style) => ({
  day: SETTLED,
  style,
  sent: 400,
  replied: style === 'confident_direct' ? 200 : 40,
}))
const secret = new ServerSecret(Buffer.alloc(32, 1))

let store: EventStore
let learner: Learner
let now: number
let metrics: Metrics
let log: RecordingLog

beforeEach(async () => {
  store = await openEventStore()
  now = NOW
  metrics = createMetrics()
  log = createRecordingLog()
  learner = open()
})
afterEach(async () => {
  await learner.close()
  await store.remove()
})

function open({ isAllowed = true } = {}): Learner {
  const config = { learning: { isAllowed, isPooled: false } }
  const { db } = store
  const fit: Fit = (request) => computeFit(db, { ...request, isPooled: false })
  return createLearner({ db, secret, config, fit, log, metrics, clock: () => now })
}

function choose(index: number, scope: EventScope = LIVE, by = learner): Promise<PolicyChoice> {
  const subject = `subject ${index}`
  return by.choose({ ...scope, requestId: `req_${index}`, subject, tone: 'warm', styles: STYLES })
}

async function chooseMany(scope: EventScope = LIVE, by = learner): Promise<PolicyChoice[]> {
  const choices: PolicyChoice[] = []
  for (let index = 0; index < 600; index++) choices.push(await choose(index, scope, by))
  return choices
}

function shareFirst(choices: readonly PolicyChoice[], style: string): number {
  return choices.filter(({ styles }) => styles[0] === style).length / choices.length
}

const ofArm = (choices: readonly PolicyChoice[], arm: string) =>
  choices.filter(({ selection }) => selection?.arm === arm)

async function change(wanted: Parameters<typeof changeLearning>[2], noticing?: Learner) {
  const act = { actor: 'system', now }
  await changeLearning({ db: store.db, secret, learner: noticing }, LIVE, wanted, act)
}

async function metric(name: string): Promise<unknown[]> {
  const { values } = await metrics.registry.getSingleMetric(name)!.get()
  return values.map(({ labels, value }) => ({ ...labels, value }))
}

describe('the learner', () => {
  it('keeps a person on one side', async () => {
    const [first, again] = [await choose(7), await choose(7)]
    expect(again).toMatchObject({ selection: first.selection })
    const arms = new Set<string>()
    for (let index = 0; index < 20; index++) {
      const request = { ...LIVE, requestId: `req_${index}`, tone: 'warm', styles: STYLES } as const
      arms.add((await learner.choose({ ...request, subject: 'ann' })).selection!.arm)
    }
    expect(arms.size).toBe(1)
  })

  it('puts one in ten into the control group, whose openers are chosen by the fixed order', async () => {
    await addEvidence(store.db, LIVE, EVIDENCE)
    const choices = await chooseMany()
    const control = ofArm(choices, 'control')
    // Six standard deviations of a binomial distribution with 600 trials and a share of 0.1.
    expect(Math.abs(control.length - 60)).toBeLessThan(45)
    for (const { styles, preference, selection } of control) {
      expect(styles).toEqual(STYLES)
      expect(preference).toBeUndefined()
      expect(selection!.probabilities).toBeNull()
    }
  })

  it('puts everybody of the control group into it again when its share grows', async () => {
    const before = await chooseMany()
    await change({ controlPercent: 50 }, learner)
    const after = await chooseMany()
    expect(ofArm(after, 'control').length).toBeGreaterThan(200)
    const moved = before.filter(
      ({ selection }, index) =>
        selection!.arm === 'control' && after[index]!.selection!.arm === 'learned',
    )
    expect(moved).toEqual([])
  })

  it('writes the style first that gets most replies, and others sometimes', async () => {
    await addEvidence(store.db, LIVE, EVIDENCE)
    const learned = ofArm(await chooseMany(), 'learned')
    expect(shareFirst(learned, 'confident_direct')).toBeGreaterThan(0.9)
    expect(shareFirst(learned, 'open_question')).toBeGreaterThan(0)
    for (const { styles, selection } of learned) {
      expect([...styles].sort()).toEqual([...STYLES].sort())
      expect(selection).toMatchObject({ styles })
      expect(selection!.probabilities).toHaveLength(3)
    }
  })

  it('treats all styles alike below the needed evidence', async () => {
    await addEvidence(store.db, LIVE, [{ day: SETTLED, sent: 100, replied: 100 }])
    const learned = ofArm(await chooseMany(), 'learned')
    // Six standard deviations around a third.
    for (const style of STYLES)
      expect(Math.abs(shareFirst(learned, style) - 1 / 3)).toBeLessThan(0.13)
    expect(learned[0]!.preference).toBeUndefined()
  })

  it('prefers a candidate with traits that get replies', async () => {
    await addEvidence(store.db, LIVE, [
      { day: SETTLED, is_question: 1, sent: 2_000, replied: 1_000 },
      { day: SETTLED, is_question: 0, sent: 2_000, replied: 200 },
    ])
    const { preference } = ofArm(await chooseMany(), 'learned')[0]!
    const candidate = { style: 'open_question', length: 60, detail: 'bio', score: null } as const
    const asking = preference!({ ...candidate, isQuestion: true })
    expect(asking).toBeGreaterThan(preference!({ ...candidate, isQuestion: false }))
  })

  it('chooses in every process alike', async () => {
    await addEvidence(store.db, LIVE, EVIDENCE)
    const other = open()
    const selections = (choices: PolicyChoice[]) => choices.map(({ selection }) => selection)
    expect(selections(await chooseMany(LIVE, other))).toEqual(selections(await chooseMany()))
  })

  it('learns nothing for others: organisations and environments are apart', async () => {
    await addEvidence(store.db, OTHER, EVIDENCE)
    await addEvidence(store.db, TEST, EVIDENCE)
    const learned = ofArm(await chooseMany(LIVE), 'learned')
    expect(shareFirst(learned, 'confident_direct')).toBeLessThan(0.5)
    expect(
      shareFirst(ofArm(await chooseMany(TEST), 'learned'), 'confident_direct'),
    ).toBeGreaterThan(0.9)
  })

  it('reads new evidence in the background, on the next day at the latest', async () => {
    await chooseMany()
    await addEvidence(store.db, LIVE, EVIDENCE)
    now += DAY
    // The call that starts the reading does not wait for it.
    expect((await choose(1)).selection!.probabilities![0]).toBeCloseTo(1 / 3, 9)
    await until(
      async () => shareFirst(ofArm(await chooseMany(), 'learned'), 'confident_direct') > 0.9,
    )
  })

  it('follows settings that this process changed at once, and others within a minute', async () => {
    await choose(1)
    await change({ state: 'off' }, learner)
    expect(await choose(1)).toEqual({ styles: STYLES, selection: undefined })
    await change({ state: 'on' })
    expect(await choose(1)).toEqual({ styles: STYLES, selection: undefined })
    now += MINUTE
    await choose(1)
    await until(async () => (await choose(1)).selection !== undefined)
  })

  it('uses what was learnt while paused', async () => {
    await addEvidence(store.db, LIVE, EVIDENCE)
    await change({ state: 'paused' }, learner)
    const learned = ofArm(await chooseMany(), 'learned')
    expect(shareFirst(learned, 'confident_direct')).toBeGreaterThan(0.9)
  })

  it('forgets with a reset', async () => {
    await addEvidence(store.db, LIVE, EVIDENCE)
    await chooseMany()
    await change({ reset: true }, learner)
    const learned = ofArm(await chooseMany(), 'learned')
    expect(shareFirst(learned, 'confident_direct')).toBeLessThan(0.5)
  })

  it('chooses by the fixed order when the operator forbids learning', async () => {
    await addEvidence(store.db, LIVE, EVIDENCE)
    const forbidden = open({ isAllowed: false })
    expect(await choose(1, LIVE, forbidden)).toEqual({ styles: STYLES, selection: undefined })
  })

  it('chooses by the fixed order while the database fails, and says so once', async () => {
    await store.db.schema.alterTable('learning_evidence').renameTo('moved').execute()
    for (let index = 0; index < 3; index++) {
      expect(await choose(index)).toEqual({ styles: STYLES, selection: undefined })
    }
    expect(log.lines.filter(({ level }) => level === 'error')).toHaveLength(1)
    expect(await metric('pis_learning_fits_total')).toEqual([
      { environment: 'live', outcome: 'failed', value: 3 },
    ])
    await store.db.schema.alterTable('moved').renameTo('learning_evidence').execute()
    expect((await choose(1)).selection).toBeDefined()
    expect(log.lines.at(-1)).toMatchObject({ level: 'info' })
  })

  it('goes on with what it knows when the database fails later', async () => {
    await addEvidence(store.db, LIVE, EVIDENCE)
    await choose(1)
    await store.db.schema.alterTable('learning_evidence').renameTo('moved').execute()
    now += DAY
    const learned = ofArm(await chooseMany(), 'learned')
    expect(shareFirst(learned, 'confident_direct')).toBeGreaterThan(0.9)
  })

  it('counts calls by arm', async () => {
    const control = ofArm(await chooseMany(), 'control').length
    const environment = 'live'
    expect(await metric('pis_learning_calls_total')).toEqual(
      expect.arrayContaining([
        { environment, arm: 'control', value: control },
        { environment, arm: 'learned', value: 600 - control },
      ]),
    )
  })

  it('reports when learnt openers get fewer replies than those of the control group', async () => {
    for (const scope of [LIVE, TEST]) {
      const rows = Array.from({ length: 60 }, (_, bucket) => [
        { day: SETTLED, arm: 'control', bucket, sent: 20, replied: 9 + (bucket % 3) },
        { day: SETTLED, arm: 'learned', bucket: 60 + bucket, sent: 20, replied: 1 + (bucket % 3) },
      ])
      await addBuckets(store.db, scope, rows.flat())
      await choose(1, scope)
    }
    expect(await metric('pis_learning_negative_uplift')).toEqual([{ value: 1 }])
    const warnings = log.lines.filter(({ level }) => level === 'warn')
    expect(warnings).toMatchObject([{ fields: { organization_id: 'org_a', environment: 'live' } }])
  })
})
