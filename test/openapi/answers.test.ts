import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createParser } from 'eventsource-parser'
import { API_ROUTES } from '../../src/http/api-routes.js'
import { partnerHeadersSchema } from '../../src/http/partner-headers.js'
import type { ErrorCode } from '../../src/core/service-error.js'
import { describeApi } from '../../src/openapi/describe-api.js'
import { OPENER_STREAM_EVENTS } from '../../src/openapi/opener-stream.js'
import { createKey } from '../../src/organizations/api-key.js'
import { createFakeModels } from '../http/_fake-models.js'
import { createPlansFile } from '../http/_plans-file.js'
import { readJson } from '../_read-json.js'
import {
  dataUrl,
  startService,
  type Answer,
  type Service,
  type ServiceOptions,
} from '../http/_service.js'
import { createApiValidator } from './_api-validator.js'

const validator = createApiValidator(describeApi(API_ROUTES, partnerHeadersSchema))
type Route = keyof typeof API_ROUTES
const ROUTES = Object.keys(API_ROUTES) as Route[]
const OPENERS = '/v1/conversation/openers'

describe('answers of the service', () => {
  let service: Service
  let bodies: Record<Route, unknown>
  beforeAll(async () => {
    service = await startService({ env: { BODY_LIMIT_BYTES: '1000000' } })
    bodies = await validBodies(service)
  })
  afterAll(() => service.close())

  it.each(ROUTES)('are documented when %s succeeds', async (route) => {
    const answer = await service.post(route, bodies[route])
    expectDocumented(route, answer, 200)
  })

  it.each(ROUTES)('are documented when %s is retried', async (route) => {
    const headers = { 'X-Idempotency-Key': crypto.randomUUID() }
    await service.post(route, bodies[route], headers)
    const answer = await service.post(route, bodies[route], headers)
    expect(answer.headers.get('idempotent-replayed')).toBe('true')
    expectDocumented(route, answer, 200)
    const other = await service.post(route, JSON.stringify(bodies[route], undefined, 2), headers)
    expectDocumented(route, other, 400, 'idempotency_key_reused')
  })

  it.each(ROUTES)('are documented when %s refuses a request', async (route) => {
    const post = (body: unknown, headers = {}) => service.post(route, body, headers)
    expectDocumented(route, await post([{}]), 400, 'invalid_request')
    expectDocumented(route, await post('{'), 400, 'invalid_request')
    expectDocumented(route, await post({}, { Authorization: '' }), 401, 'missing_api_key')
    expectDocumented(route, await post({}, { Authorization: 'Bearer x' }), 401, 'invalid_api_key')
    expectDocumented(
      route,
      await post({}, { 'Content-Type': 'text/plain' }),
      415,
      'unsupported_media_type',
    )
    expectDocumented(route, await post(`"${'x'.repeat(1_000_000)}"`), 413, 'payload_too_large')
  })

  it.each(ROUTES)('are documented when a key may not use %s', async (route) => {
    const { organizationId } = await service.context.authenticate(`Bearer ${service.apiKey}`)
    const other = route === OPENERS ? 'events' : 'conversation.openers'
    const { apiKey } = await createKey(
      service.context,
      { organizationId, name: 'Other', environment: 'test', capabilities: [other] },
      { actor: 'test', now: Date.now() },
    )
    const answer = await service.post(route, {}, { Authorization: `Bearer ${apiKey}` })
    expectDocumented(route, answer, 403, 'capability_not_allowed')
  })

  it('are documented when users or photos are refused', async () => {
    const never = { 'X-Service-Synthetic': 'never' }
    const user = { id: 'u', bio: 'A potter.', photos: ['https://photos.invalid/p.jpg'] }
    const sender = { id: 's', name: 'Sam' }
    const match = (user_b: object) =>
      service.post('/v1/match/evaluate', { user_a: user, user_b }, never)
    const openers = (recipient: object) => service.post(OPENERS, { sender, recipient }, never)
    expectDocumented('/v1/match/evaluate', await match({}), 400, 'invalid_user')
    expectDocumented('/v1/match/evaluate', await match(user), 400, 'photo_unavailable')
    expectDocumented(OPENERS, await openers({}), 400, 'invalid_recipient')
    const photos = [await dataUrl()]
    const unsafe = { ...user, photos, bio: 'I am 15, text me on 555 010 9999' }
    expectDocumented(OPENERS, await openers(unsafe), 400, 'unsafe_content')
  })

  it('are documented when they are synthetic', async () => {
    const user = { id: 'u', bio: 'A potter.', photos: ['https://photos.invalid/p.jpg'] }
    const answer = await service.post('/v1/profile/infer-preferences', { user })
    expect(answer.headers.get('x-service-synthetic')).toBe('true')
    expectDocumented('/v1/profile/infer-preferences', answer, 200)
  })

  it('are documented when they are streamed', async () => {
    const answer = await service.post(OPENERS, bodies[OPENERS], { Accept: 'text/event-stream' })
    expectDocumented(OPENERS, { ...answer, body: answer.text }, 200)
    const events = parseEvents(answer.text)
    expect(new Set(events.map(({ event }) => event))).toEqual(
      new Set(['opener.delta', 'opener', 'done']),
    )
    for (const { event, data } of events) expect(checkEvent(event, data)).toEqual([])
  })

  it.each(['/healthz', '/readyz'])('are documented for %s', async (route) => {
    expectDocumented(route, await get(service, route), 200)
  })
})

describe('answers of a failing service', () => {
  it('are documented when a limit is reached', async () => {
    const monthly = { included: 1, soft_cap: 1, hard_cap: 1 }
    const plans = await createPlansFile({ ...monthly, requests_per_minute: 2 })
    await withService({ env: { PLANS_FILE: plans.file } }, async (service) => {
      const bodies = await validBodies(service)
      for (const route of ROUTES) {
        const post = () => service.post(route, bodies[route])
        // `validBodies` has used the one call for openers that the plan allows.
        if (route !== OPENERS) expectDocumented(route, await post(), 200)
        expectDocumented(route, await post(), 429, 'quota_exceeded')
        expectDocumented(route, await post(), 429, 'rate_limited')
      }
    })
    await plans.remove()
  })

  it('are documented after an unexpected error', async () => {
    await withService({}, async (service) => {
      const bodies = await validBodies(service)
      service.context.photoTagger = () => Promise.reject(new Error('broken'))
      for (const route of ROUTES.filter((name) => name !== '/v1/events')) {
        expectDocumented(route, await service.post(route, bodies[route]), 500, 'internal_error')
      }
    })
  })

  it('are documented when the model cannot answer', async () => {
    const models = await createFakeModels({ generations: () => '' })
    await withService({ models }, async (service) => {
      const body = openersBody(await dataUrl())
      expectDocumented(OPENERS, await service.post(OPENERS, body), 503, 'model_unavailable')
    })
  })

  it('are documented when the model stops in the middle of a stream', async () => {
    const generations = (_request: unknown, callIndex: number) => {
      if (callIndex > 2) throw new Error('broken')
      return 'You had me at sourdough and the kiln.'
    }
    await withService({ models: await createFakeModels({ generations }) }, async (service) => {
      const body = openersBody(await dataUrl())
      const answer = await service.post(OPENERS, body, { Accept: 'text/event-stream' })
      expectDocumented(OPENERS, { ...answer, body: answer.text }, 200)
      const events = parseEvents(answer.text)
      expect(events.map(({ event }) => event)).toEqual(['opener.delta', 'opener', 'error'])
      for (const { event, data } of events) expect(checkEvent(event, data)).toEqual([])
    })
  })

  it('are documented while models load', async () => {
    const models = await createFakeModels()
    models.status = () => [{ role: 'vision', state: 'starting', packs: [], device: undefined }]
    await withService({ models }, async (service) => {
      expectDocumented('/readyz', await get(service, '/readyz'), 503)
    })
  })
})

function expectDocumented(
  route: string,
  answer: Pick<Answer, 'status' | 'headers' | 'body'>,
  status: number,
  code?: ErrorCode,
): void {
  const method = route.startsWith('/v1') ? 'post' : 'get'
  expect([answer.status, answer.body?.error]).toEqual([status, code])
  expect(validator.checkAnswer({ ...answer, method, path: route })).toEqual([])
}

function checkEvent(event: string | undefined, data: unknown): string[] {
  const schema = OPENER_STREAM_EVENTS[event as keyof typeof OPENER_STREAM_EVENTS]
  return validator.check(['components', 'schemas', schema], data)
}

function parseEvents(text: string) {
  const events: { event: string | undefined; data: unknown }[] = []
  const parser = createParser({
    onEvent: ({ event, data }) => events.push({ event, data: JSON.parse(data) }),
  })
  parser.feed(text)
  return events
}

async function withService(
  options: ServiceOptions,
  use: (service: Service) => Promise<void>,
): Promise<void> {
  const service = await startService(options)
  try {
    await use(service)
  } finally {
    await service.close()
  }
}

async function get(service: Service, route: string) {
  const response = await fetch(service.baseUrl + route)
  return { status: response.status, headers: response.headers, body: await readJson(response) }
}

function openersBody(photo: string) {
  return {
    sender: { id: 's', name: 'Sam' },
    recipient: {
      id: 'r',
      photos: [photo],
      bio: 'Potter with a kiln. My cat steals the sourdough.',
    },
  }
}

/** A body for each call that is answered with 200. Requests openers, because the events refer to them. */
async function validBodies(service: Service): Promise<Record<Route, unknown>> {
  const openers = openersBody(await dataUrl())
  const user = openers.recipient
  const answer = await service.post(OPENERS, openers)
  return {
    '/v1/profile/infer-preferences': { user },
    '/v1/match/evaluate': { user_a: user, user_b: user },
    [OPENERS]: openers,
    '/v1/events': [
      {
        ts: new Date().toISOString(),
        end_user_id: 'a'.repeat(64),
        event: 'opener_sent',
        idempotency_key: crypto.randomUUID(),
        context: { originating_request_id: answer.body.request_id, opener_index: 0 },
      },
    ],
  }
}
