import { createKey } from '../../src/organizations/api-key.js'
import { CAPABILITIES } from '../../src/organizations/capability.js'
import { recordCall } from '../../src/events/record-call.js'
import type { Style, Tone } from '../../src/openers/styles.js'
import { reply, sent } from '../events/_event-store.js'
import { readCsv, readStats, readTable } from './_page-tables.js'
import { startPortal, type Member, type Portal } from './_portal.js'

/** A Wednesday in 2026-W29, of which 13 July is the Monday. */
const NOW = Date.UTC(2026, 6, 15, 12)
const DAY = 24 * 60 * 60 * 1_000
const july = (day: number) => Date.UTC(2026, 6, day, 12)
const JUNE_30 = Date.UTC(2026, 5, 30, 12)

const CALLS: Record<string, { tone: Tone; styles: Style[] }> = {
  req_1: { tone: 'warm', styles: ['open_question', 'photo_callback'] },
  req_2: { tone: 'playful', styles: ['open_question'] },
  req_3: { tone: 'witty', styles: ['playful_observation', 'open_question'] },
  req_4: { tone: 'direct', styles: ['open_question'] },
  req_5: { tone: 'direct', styles: ['open_question'] },
  req_6: { tone: 'direct', styles: ['open_question'] },
}

/**
 * user  week 27 (29 June)        week 28 (6 July)        week 29 (13 July)
 * a     1#0 sent, replied        4#0 sent                5#0 sent
 * b                              1#1 sent, 2#0 sent      2#0 replied
 * c                                                      3 sent, replied, without an opener index
 * d     6#0 sent
 */
const EVENTS = [
  sent({ user: 'a', request: 'req_1', opener: 0, at: july(1) }),
  reply({ user: 'a', request: 'req_1', opener: 0, at: july(2) }),
  sent({ user: 'b', request: 'req_1', opener: 1, at: july(7) }),
  sent({ user: 'b', request: 'req_2', opener: 0, at: july(8) }),
  reply({ user: 'b', request: 'req_2', opener: 0, at: july(14) }),
  sent({ user: 'c', request: 'req_3', at: july(14) }),
  reply({ user: 'c', request: 'req_3', at: july(15) }),
  sent({ user: 'a', request: 'req_4', opener: 0, at: july(10) }),
  sent({ user: 'a', request: 'req_5', opener: 0, at: july(13) }),
  sent({ user: 'd', request: 'req_6', opener: 0, at: JUNE_30 }),
]

let portal: Portal
let viewer: Member
let now = NOW

beforeAll(async () => {
  portal = await startPortal({ clock: () => now })
  viewer = await portal.addMember('viewer')
  const scope = { organizationId: portal.organizationId, environment: 'test' } as const
  for (const [requestId, { tone, styles }] of Object.entries(CALLS)) {
    await recordCall(portal.context.db, {
      ...scope,
      requestId,
      capability: 'conversation.openers',
      createdAt: JUNE_30,
      written: { tone, openers: styles.map((style) => ({ style, length: 40 })) },
    })
  }
  await portal.post('/v1/events', EVENTS)
})
afterAll(() => portal.close())

const show = async (path: string, as = viewer) => {
  const { status, text } = await portal.visit(`GET /portal${path}`, { as })
  expect(status).toBe(200)
  return text
}
const columns = (rows: string[][], ...places: number[]) =>
  rows.map((row) => places.map((place) => row[place]))

describe('the openers page', () => {
  const STYLES = [
    // Style, sent, replied, rate and Wilson interval. All have few data, so the lower end alone decides the order.
    ['Open question few data', '5.5', '2.5', '45.5%', '15.3% to 79.3%'],
    ['Playful observation few data', '0.5', '0.5', '100.0%', '11.5% to 100.0%'],
    ['Photo callback few data', '1', '0', '0.0%', '0.0% to 79.3%'],
    ['Shared interest', '0', '0', '–', '–'],
    ['Confident, direct', '0', '0', '–', '–'],
  ]

  it('counts openers by style', async () => {
    const rows = readTable(await show('/openers?env=test'), 'Reply rate by style')
    expect(rows.slice(1)).toEqual(STYLES)
  })

  it('counts openers by tone', async () => {
    const rows = readTable(await show('/openers?env=test'), 'Reply rate by tone')
    expect(rows.slice(1)).toEqual([
      ['Playful few data', '1', '1', '100.0%', '20.7% to 100.0%'],
      ['Witty few data', '1', '1', '100.0%', '20.7% to 100.0%'],
      ['Warm few data', '2', '1', '50.0%', '9.5% to 90.5%'],
      ['Direct few data', '3', '0', '0.0%', '0.0% to 56.1%'],
    ])
  })

  it('sums all openers', async () => {
    expect(readStats(await show('/openers?env=test'))).toEqual({
      'Openers sent': '7 | in the last 90 days',
      'Replied to': '3 | so far',
      'Reply rate': '42.9% | 95% interval 15.8% to 75.0%',
      'Best style': 'Too early to say | few data yet',
    })
  })

  it('counts each opener in the week in which it was sent', async () => {
    const rows = readTable(await show('/openers?env=test'), 'Reply rate by week and style')
    const counted = rows.slice(1).filter(([, , count]) => count !== '0')
    expect(columns(counted, 0, 1, 2, 3, 4)).toEqual([
      ['29 Jun 2026 (2026-W27)', 'All styles', '2', '1', '50.0%'],
      ['29 Jun 2026 (2026-W27)', 'Open question', '2', '1', '50.0%'],
      ['6 Jul 2026 (2026-W28)', 'All styles', '3', '1', '33.3%'],
      ['6 Jul 2026 (2026-W28)', 'Open question', '2', '1', '50.0%'],
      ['6 Jul 2026 (2026-W28)', 'Photo callback', '1', '0', '0.0%'],
      ['13 Jul 2026 (2026-W29)', 'All styles', '2', '1', '50.0%'],
      ['13 Jul 2026 (2026-W29)', 'Playful observation', '0.5', '0.5', '100.0%'],
      ['13 Jul 2026 (2026-W29)', 'Open question', '1.5', '0.5', '33.3%'],
    ])
  })

  it('counts only openers sent in the period', async () => {
    now = NOW + 60 * DAY
    const later = await portal.addMember('viewer')
    expect(readStats(await show('/openers?env=test', later))['Openers sent']).toMatch(/^7 /)
    expect(await show('/openers?env=test&period=30d', later)).toContain('No openers sent')
    now = NOW
  })

  it('offers the same numbers as CSV', async () => {
    const rows = readCsv(await show('/openers/styles.csv?env=test'))
    expect(rows).toEqual([
      ['style', 'sent', 'replied', 'reply_rate', 'interval_low', 'interval_high'],
      ['open_question', '5.5', '2.5', '0.454545', '0.153384', '0.793091'],
      ['playful_observation', '0.5', '0.5', '1', '0.115169', '1'],
      ['photo_callback', '1', '0', '0', '0', '0.793451'],
      ['shared_interest', '0', '0', '', '', ''],
      ['confident_direct', '0', '0', '', '', ''],
    ])
    const tones = readCsv(await show('/openers/tones.csv?env=test'))
    expect(tones.find(([tone]) => tone === 'warm')).toEqual([
      'warm',
      '2',
      '1',
      '0.5',
      '0.094531',
      '0.905469',
    ])
    const weeks = readCsv(await show('/openers/weeks.csv?env=test'))
    expect(weeks.filter(([, style, count]) => style === 'all' && count !== '0')).toEqual([
      ['2026-06-29', 'all', '2', '1', '0.5', '0.094531', '0.905469'],
      ['2026-07-06', 'all', '3', '1', '0.333333', '0.061492', '0.79234'],
      ['2026-07-13', 'all', '2', '1', '0.5', '0.094531', '0.905469'],
    ])
  })

  it('says what to do if no events were reported', async () => {
    const text = await show('/openers?env=live')
    expect(text).toContain('No openers sent in the last 90 days')
    expect(text).toContain('opener_sent')
  })

  it('shows an organisation nothing of another', async () => {
    const organizationId = await portal.createOrganization()
    const foreigner = await portal.addMember('owner', { organizationId })
    const text = await show('/openers?env=test', foreigner)
    expect(text).toContain('No openers sent')
    expect(readCsv(await show('/openers/styles.csv?env=test', foreigner))[1]?.[1]).toBe('0')
  })
})

describe('the retention page', () => {
  it('follows the end users of each week', async () => {
    const rows = readTable(
      await show('/retention?env=test'),
      'Share of each cohort that was active, by weeks after the first',
    )
    expect(rows.map((row) => row.slice(0, 6))).toEqual([
      ['First week (UTC)', 'End users', 'Week 0', 'Week 1', 'Week 2', 'Week 3'],
      ['All, finished weeks', '4', '100%', '50%', '', ''],
      ['13 Jul 2026', '1', '100%*, so far', '', '', ''],
      ['6 Jul 2026', '1', '100%', '100%*, so far', '', ''],
      ['29 Jun 2026', '2', '100%', '50%', '50%*, so far', ''],
    ])
  })

  it('describes each cell with its number of end users', async () => {
    expect(await show('/retention?env=test')).toContain(
      'Cohort of 29 Jun 2026 (2026-W27): 1 of 2 end users (50.0%) were active 1 week later.',
    )
  })

  it('offers the same numbers as CSV', async () => {
    const rows = readCsv(await show('/retention/cohorts.csv?env=test'))
    expect(rows.map((row) => row.slice(0, 8))).toEqual([
      [
        'first_week_utc',
        'end_users',
        'active_week_0',
        'retention_week_0',
        'active_week_1',
        'retention_week_1',
        'active_week_2',
        'retention_week_2',
      ],
      ['2026-07-13', '1', '1', '1', '', '', '', ''],
      ['2026-07-06', '1', '1', '1', '1', '1', '', ''],
      ['2026-06-29', '2', '2', '1', '1', '0.5', '1', '0.5'],
    ])
  })

  it('says so if there are no end users yet', async () => {
    expect(await show('/retention?env=live')).toContain('No new end users in the last 12 weeks')
  })
})

describe('the overview', () => {
  let requester: Member

  /** A separate organisation with requests of known latency. */
  beforeAll(async () => {
    const { context } = portal
    const organizationId = await portal.createOrganization()
    requester = await portal.addMember('viewer', { organizationId })
    const key = { organizationId, name: 'Backend', environment: 'test' } as const
    const act = { actor: 'cli:tester', now: NOW }
    const { apiKey } = await createKey(context, { ...key, capabilities: CAPABILITIES }, act)
    const headers = { Authorization: `Bearer ${apiKey}` }
    // Refused as `invalid_request` and as `invalid_user`.
    await portal.post('/v1/events', [], headers)
    await portal.post('/v1/match/evaluate', {}, headers)
    const matches = { ...key, capability: 'match.evaluate', outcome: 'ok' } as const
    for (let hundred = 1; hundred <= 10; hundred++) {
      for (let call = 0; call < 10; call++) {
        context.usage.add({ ...matches, durationMs: hundred * 100 })
      }
    }
    await context.usage.flush()
    await context.db
      .insertInto('quota_usage')
      .values([
        {
          organization_id: organizationId,
          environment: 'test',
          capability: 'match.evaluate',
          period: '2026-07',
          admitted: 250,
        },
        {
          organization_id: organizationId,
          environment: 'live',
          capability: 'events',
          period: '2026-07',
          admitted: 10_000,
        },
      ])
      .execute()
  })

  it('counts requests, errors and latency of each capability', async () => {
    const text = await show('/?env=test', requester)
    expect(readTable(text, 'Requests, errors and latency by capability')).toEqual([
      ['Capability', 'Requests', 'Errors', 'Error rate', 'p50', 'p95', 'p99'],
      ['Openers', '0', '0', '–', '–', '–', '–'],
      // 500, 1,000 and 1,000 ms, 5% off at most
      ['Match', '101', '1', '1.0%', '520 ms', '1 s', '1 s'],
      ['Preferences', '0', '0', '–', '–', '–', '–'],
      ['Events', '1', '1', '100.0%', '–', '–', '–'],
    ])
  })

  it('counts requests by outcome, errors first', async () => {
    const text = await show('/?env=test', requester)
    const rows = readTable(text, 'Requests by outcome')
    expect(rows.slice(1)).toEqual([
      ['Error invalid_user', '1', '1.0%'],
      ['Error invalid_request', '1', '1.0%'],
      ['Answered and charged', '100', '98.0%'],
    ])
  })

  it('counts requests by day, up to today', async () => {
    const rows = readTable(await show('/?env=test', requester), 'Requests by day')
    expect(rows).toHaveLength(31)
    expect(rows.at(-1)).toEqual(['15 Jul 2026', '0', '101', '0', '1', '2'])
    expect(rows.at(-2)).toEqual(['14 Jul 2026', '0', '0', '0', '0', '0'])
  })

  it('offers the same numbers as CSV', async () => {
    const capabilities = readCsv(await show('/overview/capabilities.csv?env=test', requester))
    expect(capabilities[2]).toEqual([
      'match.evaluate',
      '101',
      '1',
      '0.009901',
      '520',
      '1000',
      '1000',
    ])
    const days = readCsv(await show('/overview/requests.csv?env=test', requester))
    expect(days.at(-1)).toEqual(['2026-07-15', '0', '101', '0', '1', '2'])
    const outcomes = readCsv(await show('/overview/outcomes.csv?env=test', requester))
    expect(outcomes).toContainEqual(['invalid_user', '1', '0.009804'])
    const query = '?env=test&capability=match.evaluate&period=24h'
    const latency = readCsv(await show(`/overview/latency.csv${query}`, requester))
    expect(latency).toHaveLength(25)
    expect(latency.at(-1)).toEqual(['2026-07-15T12:00Z', '520', '1000', '1000'])
  })

  it('compares the month with the plan in both environments', async () => {
    const text = await show('/?env=test', requester)
    const test = readTable(text, 'Test quota this month, by capability')
    expect(test[2]).toEqual(['Match', '250 of 1,000 · 25.0%', 'Not enough data yet'])
    const live = readTable(text, 'Live quota this month, by capability')
    expect(live[4]).toEqual([
      'Events',
      '10,000 of 10,000 · 100.0%',
      'Used up: calls are refused until next month',
    ])
  })

  it('says so if there were no requests, and still shows the plan', async () => {
    const text = await show('/?env=live', requester)
    expect(text).toContain('No requests in the last 30 days')
    expect(readTable(text, 'Live quota this month, by capability')).toHaveLength(5)
  })
})
