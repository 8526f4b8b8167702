import { createHash, randomUUID } from 'node:crypto'
import { dayOf } from '../../src/events/calendar.js'
import { readLearningReport } from '../../src/learning/read-report.js'
import { recomputeEvidence } from '../../src/learning/recompute-evidence.js'
import { createKey } from '../../src/organizations/api-key.js'
import { STYLE_NAMES } from '../../src/openers/styles.js'
import { DAY, NOW } from '../events/_event-store.js'
import { dataUrl, startService, type Service } from '../http/_service.js'
import { until } from '../inference/workers/_fixture-host.js'

const BIO = 'Potter with a kiln in the shed. My cat steals the sourdough.'
const HEADERS = { 'X-Service-Synthetic': 'never' }

let photo: string
let now: number
let service: Service
let organizationId: string

beforeAll(async () => {
  photo = await dataUrl()
})
beforeEach(async () => {
  now = NOW
  service = await startService({ learns: true, clock: () => now })
  const caller = await service.context.authenticate(`Bearer ${service.apiKey}`)
  organizationId = caller.organizationId
  await untilRead('test')
})
afterEach(() => service.close())

/** Calls do not wait long for the first reading of an environment: on a busy machine, the first ones would be chosen without it. */
async function untilRead(environment: 'test' | 'live'): Promise<void> {
  const call = { organizationId, environment, requestId: 'r', subject: 's' }
  const choose = () =>
    service.context.learner.choose({ ...call, tone: 'playful', styles: STYLE_NAMES })
  await until(async () => (await choose()).selection !== undefined)
}

const hashOf = (user: string) => createHash('sha256').update(user).digest('hex')

async function ask(user: string, headers: Record<string, string> = {}) {
  const recipient = { id: 'r', photos: [photo], bio: BIO }
  const body = { sender: { id: 's', name: 'Sam' }, recipient }
  const { status, body: answer } = await service.post('/v1/conversation/openers', body, {
    ...HEADERS,
    'X-Partner-End-User-Id': hashOf(user),
    ...headers,
  })
  expect(status).toBe(200)
  return answer as { request_id: string; openers: { style: string }[] }
}

function record(event: string, requestId: string, { at = now, user = 'ann' } = {}) {
  return {
    ts: new Date(at).toISOString(),
    end_user_id: hashOf(user),
    event,
    idempotency_key: randomUUID(),
    context: { originating_request_id: requestId, opener_index: 0 },
  }
}

async function report(records: unknown[]): Promise<void> {
  expect((await service.post('/v1/events', records)).status).toBe(200)
}

const readReport = (environment: 'test' | 'live' = 'test') =>
  readLearningReport(service.context, { organizationId, environment }, now)

async function storedSelection(requestId: string) {
  const { selection } = await service.context.db
    .selectFrom('service_calls')
    .select('selection')
    .where('request_id', '=', requestId)
    .executeTakeFirstOrThrow()
  return JSON.parse(selection ?? 'null') as { arm: string; bucket: number } | null
}

async function createLiveKey(): Promise<string> {
  const key = { name: 'Live', environment: 'live', capabilities: ['conversation.openers'] } as const
  const act = { actor: 'test', now }
  return (await createKey(service.context, { organizationId, ...key }, act)).apiKey
}

describe('learning over HTTP', () => {
  it('counts the openers that were sent by arm, and their replies, once their time has passed', async () => {
    const sent = { learned: 0, control: 0 }
    const replied = { learned: 0, control: 0 }
    for (let index = 0; index < 30; index++) {
      const { request_id } = await ask(`user ${index}`)
      const { arm } = (await storedSelection(request_id))!
      const events = [record('opener_sent', request_id)]
      sent[arm as 'learned'] += 1
      if (index % 3 === 0) {
        events.push(record('conversation_reply', request_id))
        replied[arm as 'learned'] += 1
      }
      await report(events)
    }
    expect((await readReport()).evidence).toMatchObject({ sent: 0, waiting: 30 })
    now += 4 * DAY
    const { evidence, uplift } = await readReport()
    expect(evidence).toMatchObject({ sent: 30, waiting: 0, since: dayOf(NOW) * DAY })
    expect(uplift).toMatchObject({
      learned: { sent: sent.learned, replied: replied.learned },
      control: { sent: sent.control, replied: replied.control },
    })
    const scope = { organizationId, environment: 'test' } as const
    expect(await recomputeEvidence(service.context.db, scope)).toEqual({ calls: 30, corrected: 0 })
    expect((await readReport('live')).evidence.sent).toBe(0)
  })

  it('keeps an end user in the same bucket, and stores nothing else of them', async () => {
    const first = await ask('ann')
    const second = await ask('ann')
    expect(await storedSelection(second.request_id)).toMatchObject({
      bucket: (await storedSelection(first.request_id))!.bucket,
    })
    const rows = await service.context.db.selectFrom('service_calls').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(hashOf('ann').slice(0, 8))
  })

  it('puts the same person into buckets of each environment that have nothing to do with each other', async () => {
    const live = { Authorization: `Bearer ${await createLiveKey()}` }
    await untilRead('live')
    let same = 0
    for (let index = 0; index < 5; index++) {
      const inTest = await storedSelection((await ask(`user ${index}`)).request_id)
      const inLive = await storedSelection((await ask(`user ${index}`, live)).request_id)
      same += Number(inTest!.bucket === inLive!.bucket)
    }
    expect(same).toBeLessThan(5)
  })

  it('gives the same answer for the same idempotency key', async () => {
    const headers = { 'X-Idempotency-Key': randomUUID() }
    const first = await ask('ann', headers)
    expect(await ask('ann', headers)).toEqual(first)
  })

  it('stores neither traits nor selection when the operator forbids learning', async () => {
    await service.close()
    service = await startService({ learns: true, clock: () => now, env: { LEARNING: 'false' } })
    const { request_id } = await ask('ann')
    expect(await storedSelection(request_id)).toBeNull()
    const { openers } = await service.context.db
      .selectFrom('service_calls')
      .select('openers')
      .executeTakeFirstOrThrow()
    for (const opener of JSON.parse(openers!) as object[]) {
      expect(Object.keys(opener)).toEqual(['style', 'length'])
    }
  })
})
