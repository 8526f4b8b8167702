import type { EventScope } from '../../src/events/event-scope.js'
import type { Arm } from '../../src/openers/opener-policy.js'
import type { Style } from '../../src/openers/styles.js'
import type { Environment } from '../../src/organizations/capability.js'
import { listAudit } from '../../src/organizations/audit-log.js'
import { dataUrl } from '../http/_service.js'
import { describeInterval as inWords } from '../../src/portal/pages/what-works/judge-uplift.js'
import { addBuckets, addEvidence } from '../learning/_stored-evidence.js'
import { readCsv, readStats, readTable } from './_page-tables.js'
import { startPortal, type Member, type Portal } from './_portal.js'
import { describeInterval, upliftByHand } from './_uplift-by-hand.js'

/** A Wednesday in 2026-W29, of which 13 July is the Monday. */
const NOW = Date.UTC(2026, 6, 15, 12)
const TODAY = Math.floor(NOW / (24 * 60 * 60 * 1_000))
/** Saturday 11 July, the last day whose attribution window has passed. */
const SETTLED = TODAY - 4
const BIO = 'Potter with a kiln in the shed. My cat steals the sourdough.'
const STYLES_OF_TONE = 'Styles in the tone playful'

let portal: Portal

beforeAll(async () => {
  portal = await startPortal({ clock: () => NOW })
})
afterAll(() => portal.close())

interface Visitor {
  member: Member
  scope: EventScope
}

/** A new organisation with one member. */
async function join(role: Member['role'] = 'viewer', on = portal): Promise<Visitor> {
  const organizationId = await on.createOrganization()
  const member = await on.addMember(role, { organizationId })
  return { member, scope: { organizationId, environment: 'test' } }
}

interface BucketSketch {
  day?: number
  arm: Arm
  buckets: number
  sent: number
  /** In every second bucket, from the first, and in the others. */
  replied: [number, number]
}

/** Openers of as many buckets of people. */
function storeBuckets(scope: EventScope, sketch: BucketSketch): Promise<void> {
  const { day = SETTLED, arm, buckets, sent, replied } = sketch
  const rows = Array.from({ length: buckets }, (_, bucket) => ({
    day,
    arm,
    bucket,
    sent,
    replied: replied[bucket % 2 === 0 ? 0 : 1],
  }))
  return addBuckets(portal.context.db, scope, rows)
}

interface EvidenceSketch {
  day?: number
  style?: Style
  is_question?: number
  sent: number
  replied: number
}

/** Openers of the playful tone. */
function storeEvidence(scope: EventScope, sketches: readonly EvidenceSketch[]): Promise<void> {
  const cell = { day: SETTLED, tone: 'playful', is_question: 0, detail: 'none' }
  return addEvidence(
    portal.context.db,
    scope,
    sketches.map((sketch) => ({ ...cell, ...sketch })),
  )
}

/** 3,000 openers of the learned arm with 30% replies, 2,000 of the control arm with 20%. */
async function storeComparison(scope: EventScope): Promise<void> {
  await storeBuckets(scope, { arm: 'learned', buckets: 30, sent: 100, replied: [25, 35] })
  await storeBuckets(scope, { arm: 'control', buckets: 20, sent: 100, replied: [15, 25] })
}

/** One style far above the others, and one with too few openers to say. */
async function storeFindings(scope: EventScope): Promise<void> {
  await storeEvidence(scope, [
    { style: 'open_question', is_question: 1, sent: 1_500, replied: 600 },
    { style: 'playful_observation', sent: 1_500, replied: 300 },
    { style: 'photo_callback', sent: 1_500, replied: 300 },
    { style: 'confident_direct', sent: 1_997.5, replied: 380 },
    { style: 'shared_interest', sent: 2.5, replied: 0.5 },
  ])
}

async function show({ member, scope }: Visitor, path = '', on = portal): Promise<string> {
  const target = `GET /portal/what-works${path}?env=${scope.environment}` as const
  const { status, text } = await on.visit(target, { as: member })
  expect(status).toBe(200)
  return text
}

const wordsOf = (html: string) => html.replaceAll(/<[^>]*>/g, '').replaceAll(/\s+/g, ' ')

describe('an interval in words', () => {
  it('says on which side of zero an end lies that rounds to zero', () => {
    expect(inWords({ value: 0.03, low: 0.0002, high: 0.06 })).toBe(
      'between just above 0 and +6.0 percentage points',
    )
    expect(inWords({ value: -0.03, low: -0.06, high: -0.0002 })).toBe(
      'between −6.0 and just below 0 percentage points',
    )
  })
})

describe('the uplift', () => {
  it('is what a computation by hand gives, with its interval in words', async () => {
    const visitor = await join()
    await storeEvidence(visitor.scope, [{ sent: 5_000, replied: 1_300 }])
    await storeComparison(visitor.scope)
    const text = await show(visitor)
    expect(readStats(text)).toMatchObject({
      Uplift: '+10.0 points | 50% more replies',
      'Learned group': '30.0% | 900 of 3,000 openers replied to',
      'Control group': '20.0% | 400 of 2,000 openers replied to',
    })
    const pairs = (count: number, replied: [number, number]) =>
      Array.from({ length: count }, (_, i) => ({ sent: 100, replied: replied[i % 2]! }))
    const byHand = upliftByHand({ learned: pairs(30, [25, 35]), control: pairs(20, [15, 25]) })
    // Residuals of 5 in every bucket, and 2.0452 and 2.0930 for the quantiles of Student's t.
    expect(byHand.high - byHand.value).toBeCloseTo(4.834, 3)
    expect(wordsOf(text)).toContain(`With 95% confidence it is ${describeInterval(byHand)}.`)
    expect(wordsOf(text)).toContain('Learning gets more replies')
    expect(wordsOf(text)).toContain('you may read it every day')
  })

  it('that is negative says what to do', async () => {
    const visitor = await join()
    await storeEvidence(visitor.scope, [{ sent: 5_000, replied: 1_300 }])
    await storeBuckets(visitor.scope, { arm: 'learned', buckets: 20, sent: 100, replied: [15, 25] })
    await storeBuckets(visitor.scope, { arm: 'control', buckets: 30, sent: 100, replied: [25, 35] })
    const text = await show(visitor)
    expect(readStats(text).Uplift).toBe('−10.0 points | 33% fewer replies')
    expect(wordsOf(text)).toContain('Learning gets fewer replies')
    expect(wordsOf(text)).toContain('Reset learning')
  })

  it('that may be chance is not called a difference', async () => {
    const visitor = await join()
    await storeEvidence(visitor.scope, [{ sent: 5_000, replied: 1_300 }])
    await storeBuckets(visitor.scope, { arm: 'learned', buckets: 30, sent: 20, replied: [2, 8] })
    await storeBuckets(visitor.scope, { arm: 'control', buckets: 20, sent: 20, replied: [1, 7] })
    expect(wordsOf(await show(visitor))).toContain('No clear difference yet')
  })

  it('is not given while the control group is too small', async () => {
    const visitor = await join()
    await storeEvidence(visitor.scope, [{ sent: 3_010, replied: 900 }])
    await storeBuckets(visitor.scope, { arm: 'learned', buckets: 30, sent: 100, replied: [30, 30] })
    await storeBuckets(visitor.scope, { arm: 'control', buckets: 5, sent: 2, replied: [0, 1] })
    const text = await show(visitor)
    expect(readStats(text).Uplift).toBe('– | too early to compare')
    expect(wordsOf(text)).toContain(
      '3,000 openers of the learned group and 10 of the control group count so far',
    )
  })
})

describe('the reply rates by week', () => {
  const LEARNED = ['3,000', '30.0%', '28.4% to 31.7%']
  const CONTROL = ['2,000', '20.0%', '18.3% to 21.8%']
  const WEEK_28 = ['6 Jul 2026 (2026-W28)', ...LEARNED, ...CONTROL, '+10.0']

  it('show both groups on the page and as CSV', async () => {
    const visitor = await join()
    await storeEvidence(visitor.scope, [{ sent: 5_000, replied: 1_300 }])
    await storeComparison(visitor.scope)
    await storeBuckets(visitor.scope, {
      day: SETTLED - 7,
      arm: 'learned',
      buckets: 1,
      sent: 2.5,
      replied: [0.5, 0],
    })
    const rows = readTable(await show(visitor), 'Reply rate by week and group')
    expect(rows.slice(1)).toEqual([
      ['29 Jun 2026 (2026-W27)', '2.5', '20.0%', '2.1% to 74.2%', '0', '–', '–', '–'],
      WEEK_28,
    ])
    const csv = readCsv(await show(visitor, '/weeks.csv'))
    expect(csv[0]?.slice(0, 4)).toEqual([
      'week_utc',
      'learned_sent',
      'learned_replied',
      'learned_reply_rate',
    ])
    expect(csv[1]?.slice(0, 4)).toEqual(['2026-06-29', '2.5', '0.5', '0.2'])
    expect(csv[2]?.at(0)).toBe('2026-07-06')
    expect(csv[2]?.at(-1)).toBe('0.1')
  })
})

describe('the chart', () => {
  it('begins with the second week', async () => {
    const visitor = await join()
    await storeComparison(visitor.scope)
    const only = await show(visitor)
    expect(only).toContain('The chart begins with the second week.')
    expect(only).not.toContain('data-chart')
    await storeBuckets(visitor.scope, {
      day: SETTLED - 7,
      arm: 'learned',
      buckets: 1,
      sent: 50,
      replied: [10, 0],
    })
    expect(await show(visitor)).toContain('data-chart')
  })
})

describe('what was learnt', () => {
  it('names the better styles, and those of which it is too early to say', async () => {
    const visitor = await join()
    await storeFindings(visitor.scope)
    const rows = readTable(await show(visitor), STYLES_OF_TONE)
    const findings = Object.fromEntries(rows.map(([style, finding]) => [style, finding]))
    expect(rows[1]?.[0]).toBe('Open question')
    expect(findings).toMatchObject({
      'Open question': 'clearly better',
      'Shared interest': 'too early to say',
      'Confident, direct': 'clearly worse',
    })
  })

  it('shows how often a style now comes first, and the openers behind it', async () => {
    const visitor = await join()
    await storeFindings(visitor.scope)
    const rows = readTable(await show(visitor), STYLES_OF_TONE)
    const [, best] = rows
    expect(best?.at(-1)).toBe('1,500')
    expect(Number.parseInt(best?.at(-2) ?? '')).toBeGreaterThan(50)
    expect(rows.find(([style]) => style === 'Shared interest')?.at(-1)).toBe('2.5')
  })

  it('names the traits that get replies', async () => {
    const visitor = await join()
    await storeEvidence(visitor.scope, [
      { is_question: 1, sent: 3_000, replied: 1_200 },
      { is_question: 0, sent: 3_000, replied: 600 },
    ])
    const rows = readTable(await show(visitor), 'Effects of traits on the reply rate')
    expect(rows.find(([trait]) => trait === 'Asks a question')?.[1]).toBe('more replies')
    expect(rows.find(([trait]) => trait === 'Short')?.[1]).toBe('too early to say')
  })

  it('can be downloaded as CSV', async () => {
    const visitor = await join()
    await storeFindings(visitor.scope)
    const [header, first, ...rest] = readCsv(await show(visitor, '/styles.csv'))
    expect(header).toEqual([
      'tone',
      'style',
      'finding',
      'probability_above_average',
      'probability_best',
      'reply_rate',
      'interval_low',
      'interval_high',
      'written_first',
      'sent',
    ])
    expect(first?.slice(0, 3)).toEqual(['playful', 'open_question', 'clearly better'])
    expect(first?.at(-1)).toBe('1500')
    expect(rest).toHaveLength(19)
  })
})

describe('without enough evidence', () => {
  it('says that no opener was reported as sent', async () => {
    const text = wordsOf(await show(await join()))
    expect(text).toContain('no opener was reported as sent')
    expect(text).toContain('opener_sent')
  })

  it('says that the first openers still wait for replies', async () => {
    const visitor = await join()
    await storeEvidence(visitor.scope, [{ day: TODAY - 1, sent: 41, replied: 3 }])
    const text = wordsOf(await show(visitor))
    expect(text).toContain('The first openers still wait for replies')
    expect(text).toContain('41 openers were sent')
  })

  it('counts the openers until anything that was learnt is used', async () => {
    const visitor = await join()
    await storeEvidence(visitor.scope, [
      { sent: 60, replied: 20 },
      { day: TODAY, sent: 12, replied: 0 },
    ])
    await storeBuckets(visitor.scope, { arm: 'learned', buckets: 20, sent: 3, replied: [1, 1] })
    const text = await show(visitor)
    expect(wordsOf(text)).toMatch(/5\d of 200 openers count so far/)
    expect(wordsOf(text)).toContain('12 openers still wait for replies')
    expect(readStats(text).Explored).toBe('100% | each style is equally likely to come first')
    expect(text).not.toContain(STYLES_OF_TONE)
    expect(readCsv(await show(visitor, '/styles.csv'))).toHaveLength(1)
  })

  it('says that the comparison starts again after the share was changed', async () => {
    const visitor = await join('owner')
    await storeFindings(visitor.scope)
    await storeComparison(visitor.scope)
    await change(visitor, 'control-share', { percent: '20' })
    const text = wordsOf(await show(visitor))
    expect(text).toContain('0 openers of the learned group and 0 of the control group count so far')
    expect(text).toContain('from 16 Jul 2026 on')
    expect(text).toContain('What was learnt, by tone and style')
  })

  it('says that the operator has switched learning off', async () => {
    const other = await startPortal({ clock: () => NOW, env: { LEARNING: 'false' } })
    try {
      const text = wordsOf(await show(await join('owner', other), '', other))
      expect(text).toContain('The operator of this host has switched learning off.')
      expect(text).not.toContain('no opener was reported')
      expect(text).not.toContain('Switch off')
    } finally {
      await other.close()
    }
  })
})

type Setting = 'state' | 'control-share' | 'reset'

function change({ member, scope }: Visitor, setting: Setting, form: Record<string, string>) {
  return portal.visit(`POST /portal/what-works/${setting}`, {
    as: member,
    form: { environment: scope.environment, ...form },
  })
}

const inLive = ({ member, scope }: Visitor): Visitor => ({
  member,
  scope: { ...scope, environment: 'live' },
})

describe('the switches', () => {
  it.each([
    ['paused', 'Learning is paused'],
    ['off', 'Learning is off'],
  ])('let an owner set learning to %s in one environment', async (state, words) => {
    const visitor = await join('owner')
    const { status, location } = await change(visitor, 'state', { state })
    expect({ status, location }).toEqual({
      status: 303,
      location: `/portal/what-works?env=test&done=${state}`,
    })
    expect(wordsOf(await show(visitor))).toContain(`${words} in the test environment`)
    expect(wordsOf(await show(inLive(visitor)))).not.toContain(words)
    await change(visitor, 'state', { state: 'on' })
    expect(wordsOf(await show(visitor))).not.toContain(words)
  })

  it('let an owner change the control share', async () => {
    const visitor = await join('owner')
    await change(visitor, 'control-share', { percent: '25' })
    expect(wordsOf(await show(visitor))).toContain('25% of people')
    expect(wordsOf(await show(inLive(visitor)))).toContain('10% of people')
  })

  it('let an owner reset what was learnt, and nothing else', async () => {
    const visitor = await join('owner')
    for (const { scope } of [visitor, inLive(visitor)]) {
      await storeFindings(scope)
      await storeComparison(scope)
    }
    expect(wordsOf(await show(visitor))).toContain('6,500 openers that count')
    await change(visitor, 'reset', {})
    expect(wordsOf(await show(visitor))).toContain('no opener was reported as sent')
    expect(readStats(await show(inLive(visitor))).Uplift).toMatch(/^\+10\.0 points/)
  })

  it('leave an entry in the audit log', async () => {
    const { member, scope } = await join('owner')
    await change({ member, scope }, 'state', { state: 'paused' })
    await change({ member, scope }, 'control-share', { percent: '30' })
    await change({ member, scope }, 'reset', {})
    const { organizationId } = scope
    const entries = await listAudit(portal.context.db, { organizationId, limit: 3 })
    expect(entries.map(({ action, actor }) => ({ action, actor }))).toEqual(
      ['learning.reset', 'learning.control_share_changed', 'learning.state_changed'].map(
        (action) => ({ action, actor: `portal:${member.accountId}` }),
      ),
    )
    const { text } = await portal.visit('GET /portal/keys/audit', { as: member })
    expect(wordsOf(text)).toContain('changed the control share in test from 10 to 30 %')
  })

  it('apply from the next call on', async () => {
    const other = await startPortal({ learns: true })
    try {
      const as = await other.addMember('owner')
      const photos = [await dataUrl()]
      const body = { sender: { id: 's', name: 'Sam' }, recipient: { id: 'r', photos, bio: BIO } }
      const arms: unknown[] = []
      for (const state of ['on', 'off', 'on']) {
        const form = { environment: 'test', state }
        await other.visit('POST /portal/what-works/state', { as, form })
        const headers = { 'X-Service-Explain': 'true' }
        const answer = await other.post('/v1/conversation/openers', body, headers)
        arms.push(answer.body.explain.policy.arm)
      }
      expect(arms).toEqual([expect.any(String), undefined, expect.any(String)])
    } finally {
      await other.close()
    }
  })

  it.each<[string, Setting, Record<string, string>]>([
    ['an unknown state', 'state', { state: 'maybe' }],
    ['no state', 'state', {}],
    ['a share below 5', 'control-share', { percent: '4' }],
    ['a share above 50', 'control-share', { percent: '51' }],
    ['a fraction', 'control-share', { percent: '10.5' }],
    ['a number in another notation', 'control-share', { percent: '1e1' }],
    ['no share', 'control-share', { percent: '' }],
    ['an unknown environment', 'reset', { environment: 'staging' }],
    ['no environment', 'state', { state: 'off', environment: '' }],
  ])('refuse %s', async (_case, setting, form) => {
    const visitor = await join('owner')
    await storeFindings(visitor.scope)
    const before = await show(visitor)
    const { status, text } = await change(visitor, setting, form)
    expect(status).toBe(400)
    expect(text).toContain('Nothing was changed')
    expect(wordsOf(await show(visitor))).toBe(wordsOf(before))
  })

  it.each(['developer', 'viewer'] as const)('are shown to no %s', async (role) => {
    const visitor = await join(role)
    const text = await show(visitor)
    expect(text).not.toContain('action="/portal/what-works')
    expect(text).toContain('Only owners of your organisation can change these settings.')
    for (const [setting, form] of [
      ['state', { state: 'off' }],
      ['control-share', { percent: '50' }],
      ['reset', {}],
    ] as const) {
      expect((await change(visitor, setting, form)).status).toBe(403)
    }
    expect(await show(visitor)).toBe(text)
  })
})

describe('organisations and environments', () => {
  it('see nothing of each other', async () => {
    const visitor = await join('owner')
    await storeFindings(visitor.scope)
    await storeComparison(visitor.scope)
    for (const stranger of [await join('owner'), inLive(visitor)]) {
      const text = wordsOf(await show(stranger))
      expect(text).toContain('no opener was reported as sent')
      expect(readCsv(await show(stranger, '/weeks.csv'))).toHaveLength(1)
    }
  })

  it.each<Environment>(['test', 'live'])('keep their settings apart in %s', async (environment) => {
    const { member, scope } = await join('owner')
    const stranger = await join('owner')
    await change({ member, scope: { ...scope, environment } }, 'state', { state: 'off' })
    const there = { member: stranger.member, scope: { ...stranger.scope, environment } }
    expect(wordsOf(await show(there))).not.toContain('Learning is off')
  })
})

it('is linked from the openers page and the menu', async () => {
  const { member } = await join()
  const { text } = await portal.visit('GET /portal/openers?env=test', { as: member })
  expect(text.match(/href="\/portal\/what-works\?env=test"/g)).toHaveLength(2)
})
