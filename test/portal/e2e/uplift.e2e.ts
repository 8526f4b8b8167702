import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import type { EventRecord } from '../../../src/events/events-contract.js'
import { parseSelection } from '../../../src/events/written-openers.js'
import { ARMS, type Selection } from '../../../src/openers/opener-policy.js'
import { eventRecord } from '../../events/_event-store.js'
import { dataUrl } from '../../http/_service.js'
import { startPortal, type Member, type Portal } from '../_portal.js'
import {
  describeInterval,
  formatSigned,
  upliftByHand,
  type BucketCounts,
} from '../_uplift-by-hand.js'
import { expectGoodPage, openBrowser, openTab, type Tab } from './_browser.js'

const DAY = 24 * 60 * 60 * 1_000
const MINUTE = 60 * 1_000
const PEOPLE = 180
const CALLS_PER_PERSON = 4
const EVENTS_PER_BATCH = 500
const BIO = 'Potter with a kiln in the shed. My cat steals the sourdough.'

interface Sent {
  person: number
  requestId: string
  selection: Selection
  isReplied: boolean
}

let now = Date.UTC(2026, 6, 15, 12)
let portal: Portal
let browser: Browser
let sent: Sent[]

/** An owner gives half of the people to the control group; from the next day on, people send openers and some get replies. */
beforeAll(async () => {
  portal = await startPortal({ clock: () => now, learns: true })
  const owner = await portal.addMember('owner')
  const form = { environment: 'test', percent: '50' }
  await portal.visit('POST /portal/what-works/control-share', { as: owner, form })
  now += DAY
  sent = await sendOpeners()
  await report(sent.flatMap(eventsOf))
  now += 5 * DAY
  browser = await openBrowser()
}, 240_000)
afterAll(async () => {
  await browser?.close()
  await portal?.close()
})

async function sendOpeners(): Promise<Sent[]> {
  const photos = [await dataUrl()]
  const body = { sender: { id: 's', name: 'Sam' }, recipient: { id: 'r', photos, bio: BIO } }
  const all: Sent[] = []
  for (let person = 0; person < PEOPLE; person++) {
    for (let call = 0; call < CALLS_PER_PERSON; call++) {
      now += MINUTE / 10
      const headers = { 'X-Partner-End-User-Id': hashOf(person) }
      const answer = await portal.post('/v1/conversation/openers', body, headers)
      expect(answer.status).toBe(200)
      const requestId = answer.body.request_id as string
      const selection = await selectionOf(requestId)
      // Three of five openers are replied to where the service learns, one of five in the control group.
      const replies = selection.arm === 'learned' ? 3 : 1
      all.push({ person, requestId, selection, isReplied: (person * 7 + call * 3) % 5 < replies })
    }
  }
  return all
}

async function selectionOf(requestId: string): Promise<Selection> {
  const { selection } = await portal.context.db
    .selectFrom('service_calls')
    .select('selection')
    .where('request_id', '=', requestId)
    .executeTakeFirstOrThrow()
  return parseSelection(selection)!
}

function eventsOf({ person, requestId, isReplied }: Sent): EventRecord[] {
  const sketch = { user: `person ${person}`, request: requestId, opener: 0, at: now }
  const events = [eventRecord(sketch)]
  return isReplied ? [...events, eventRecord({ ...sketch, event: 'conversation_reply' })] : events
}

async function report(events: readonly EventRecord[]): Promise<void> {
  for (let from = 0; from < events.length; from += EVENTS_PER_BATCH) {
    const batch = events.slice(from, from + EVENTS_PER_BATCH)
    expect((await portal.post('/v1/events', batch)).status).toBe(200)
    now += MINUTE
  }
}

function hashOf(person: number): string {
  return createHash('sha256').update(`person ${person}`).digest('hex')
}

function countBuckets(arm: Selection['arm']): BucketCounts[] {
  const counts = new Map<number, BucketCounts>()
  for (const { selection, isReplied } of sent.filter((one) => one.selection.arm === arm)) {
    const known = counts.get(selection.bucket) ?? { sent: 0, replied: 0 }
    const replied = known.replied + Number(isReplied)
    counts.set(selection.bucket, { sent: known.sent + 1, replied })
  }
  return [...counts.values()]
}

async function visit(member: Member, look: (page: Page, tab: Tab) => Promise<void>): Promise<void> {
  const tab = await openTab(browser, { baseUrl: portal.baseUrl, width: 'desktop', member })
  try {
    await tab.page.goto('/portal/what-works?env=test')
    await look(tab.page, tab)
  } finally {
    await tab.close()
  }
}

describe('events reported over HTTP', () => {
  it('leave each person on one side', () => {
    const sides = new Set(sent.map(({ person, selection }) => `${person} ${selection.bucket}`))
    expect(sides.size).toBe(PEOPLE)
  })

  it('become the uplift that a computation by hand gives', async () => {
    const [learned, control] = ARMS.map(countBuckets)
    const byHand = upliftByHand({ learned: learned!, control: control! })
    await visit(await portal.addMember('owner'), async (page, tab) => {
      await page.getByRole('heading', { name: 'Learning gets more replies' }).waitFor()
      const text = await page
        .getByRole('region', { name: 'Learning gets more replies' })
        .innerText()
      expect(text).toContain(`The uplift is ${formatSigned(byHand.value)} percentage points`)
      expect(text).toContain(describeInterval(byHand))
      await expectGoodPage(tab)
    })
  })

  it('are shown to a viewer without the switches', async () => {
    await visit(await portal.addMember('viewer'), async (page) => {
      await page.getByRole('heading', { name: 'Learning gets more replies' }).waitFor()
      await page.getByText('Only owners of your organisation can change').waitFor()
      expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
    })
  })

  it('are not shown to another organisation', async () => {
    const organizationId = await portal.createOrganization()
    await visit(await portal.addMember('owner', { organizationId }), async (page) => {
      expect(await page.getByText('no opener was reported as sent').count()).toBe(1)
    })
  })
})
