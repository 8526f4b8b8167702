import { randomUUID } from 'node:crypto'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { ServiceError } from '../../src/core/service-error.js'
import { FIXED_POLICY } from '../../src/openers/opener-policy.js'
import { until } from '../inference/workers/_fixture-host.js'
import { createFakeModels } from './_fake-models.js'
import { createReversingPolicy, type RecordingPolicy } from './_opener-policy.js'
import { dataUrl, startService, type Service, type ServiceOptions } from './_service.js'

const PATH = '/v1/conversation/openers'
const BIO = 'Potter with a kiln in the shed. My cat steals the sourdough.'
const STREAM = { Accept: 'text/event-stream' }
const REVERSED = ['confident_direct', 'photo_callback', 'open_question', 'playful_observation']
const SELECTION = {
  arm: 'learned',
  bucket: 7,
  styles: REVERSED,
  probabilities: Array(4).fill(0.25),
}

let photo: string
let service: Service
let policy: RecordingPolicy
beforeAll(async () => {
  photo = await dataUrl()
})
beforeEach(async () => {
  policy = createReversingPolicy()
  await start({ openerPolicy: policy })
})
afterEach(() => service.close())

async function start(options: ServiceOptions): Promise<void> {
  service = await startService(options)
}

async function restart(options: ServiceOptions): Promise<void> {
  await service.close()
  await start(options)
}

function bodyOf(photos = [photo]) {
  return { sender: { id: 's', name: 'Sam' }, recipient: { id: 'r', photos, bio: BIO } }
}

const ask = (headers: Record<string, string> = {}) => service.post(PATH, bodyOf(), headers)

async function storedCalls() {
  const query = service.context.db.selectFrom('service_calls')
  const rows = await query.select(['request_id', 'openers', 'selection']).orderBy('id').execute()
  return rows.map(({ request_id, openers, selection }) => ({
    requestId: request_id,
    openers: JSON.parse(openers ?? 'null') as unknown,
    selection: JSON.parse(selection ?? 'null') as unknown,
  }))
}

interface Opener {
  text: string
  style: string
  length: number
}

/** What is stored of openers while learning is on. The fake pack has no reranker; its openers name details of the bio. */
function traitsOf(openers: Opener[]) {
  return openers.map(({ text, style, length }) => ({
    style,
    length,
    question: text.includes('?'),
    detail: 'bio',
    score: null,
  }))
}

describe('openers chosen by a policy', () => {
  it('have the styles of the policy, in its order', async () => {
    const { body } = await ask()
    // The fake model writes nothing about the photo.
    const writable = REVERSED.filter((style) => style !== 'photo_callback')
    expect(body.openers.map(({ style }: Opener) => style)).toEqual(writable)
  })

  it('are stored by their traits, with the selection, and answered without them', async () => {
    const { body } = await ask()
    expect(await storedCalls()).toEqual([
      { requestId: body.request_id, openers: traitsOf(body.openers), selection: SELECTION },
    ])
    expect(Object.keys(body)).toEqual(['request_id', 'openers'])
    for (const opener of body.openers) {
      expect(Object.keys(opener)).toEqual(['text', 'style', 'length'])
    }
  })

  it('are stored alike when they are streamed', async () => {
    const { text } = await ask(STREAM)
    const done = JSON.parse(/event: done\ndata: (.*)\n/.exec(text)![1]!)
    expect(await storedCalls()).toEqual([
      { requestId: done.request_id, openers: traitsOf(done.openers), selection: SELECTION },
    ])
  })

  it('are stored as far as they left when a stream breaks off', async () => {
    const first = 'You had me at sourdough and the kiln.'
    const models = await createFakeModels({
      // The first opener is the better of two candidates.
      generations: (_request, callIndex) =>
        callIndex < 2 ? first : Promise.reject(new TypeError('bug')),
    })
    await restart({ models, openerPolicy: policy })
    const { text, headers } = await ask(STREAM)
    expect(text).toMatch(/event: opener\n[^]*event: error\n/)
    expect(await storedCalls()).toEqual([
      {
        requestId: headers.get('x-request-id'),
        openers: traitsOf([{ text: first, style: 'confident_direct', length: 37 }]),
        selection: SELECTION,
      },
    ])
  })

  it('are stored as far as they left when the client leaves', async () => {
    const first = 'You had me at sourdough and the kiln.'
    const models = await createFakeModels({
      generations: (_request, callIndex) => (callIndex < 2 ? first : new Promise(() => {})),
    })
    await restart({ models, openerPolicy: policy })
    const leaving = new AbortController()
    const response = await fetch(service.baseUrl + PATH, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${service.apiKey}`,
        'Content-Type': 'application/json',
        ...STREAM,
      },
      body: JSON.stringify(bodyOf()),
      signal: leaving.signal,
    })
    await response.body!.getReader().read()
    leaving.abort()
    await until(async () => (await storedCalls()).length > 0)
    expect(await storedCalls()).toMatchObject([
      { openers: traitsOf([{ text: first, style: 'confident_direct', length: 37 }]) },
    ])
  })

  it('are stored once, and chosen once, for an idempotency key', async () => {
    const key = { 'X-Idempotency-Key': randomUUID() }
    const [first, again] = [await ask(key), await ask(key)]
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(again.text).toBe(first.text)
    const streamed = await ask({ ...key, ...STREAM })
    expect(streamed.text).toContain(JSON.stringify(first.body.openers))
    expect(policy.requests).toHaveLength(1)
    expect(await storedCalls()).toMatchObject([{ requestId: first.body.request_id }])
  })
})

describe('openers that no policy chose', () => {
  it('are stored without traits and selection while learning is off', async () => {
    await restart({ openerPolicy: FIXED_POLICY })
    const { body } = await ask()
    const openers = body.openers.map(({ style, length }: Opener) => ({ style, length }))
    expect(await storedCalls()).toEqual([{ requestId: body.request_id, openers, selection: null }])
  })

  it('are stored without traits and selection when they are synthetic', async () => {
    const { headers, body } = await service.post(PATH, bodyOf(['https://photos.invalid/p.jpg']))
    expect(headers.get('x-service-synthetic')).toBe('true')
    const openers = body.openers.map(({ style, length }: Opener) => ({ style, length }))
    expect(await storedCalls()).toEqual([{ requestId: body.request_id, openers, selection: null }])
  })

  it('are stored without those of the openers that they replace', async () => {
    const failing = await createFakeModels({
      generations: (_request, callIndex) => {
        if (callIndex < 2) return 'You had me at sourdough and the kiln.'
        throw new ServiceError('model_unavailable', 'The model cannot be loaded.')
      },
    })
    const models = {
      ...failing,
      status: () => failing.status().map((model) => ({ ...model, state: 'failed' as const })),
    }
    await restart({ models, openerPolicy: policy })
    const { headers, body } = await ask()
    expect(headers.get('x-service-synthetic')).toBe('true')
    expect(policy.requests).toHaveLength(1)
    const openers = body.openers.map(({ style, length }: Opener) => ({ style, length }))
    expect(await storedCalls()).toEqual([{ requestId: body.request_id, openers, selection: null }])
  })
})

describe('the request to the policy', () => {
  const hash = 'ab'.repeat(32)

  it('names organisation, environment, request, tone, and the styles that have material', async () => {
    const { organizationId } = await service.context.authenticate(`Bearer ${service.apiKey}`)
    const { body } = await service.post(PATH, { ...bodyOf(), tone: 'warm' })
    expect(policy.requests).toEqual([
      {
        organizationId,
        environment: 'test',
        requestId: body.request_id,
        subject: body.request_id,
        tone: 'warm',
        // Nothing in common, so no `shared_interest`.
        styles: ['open_question', 'photo_callback', 'playful_observation', 'confident_direct'],
      },
    ])
  })

  it('is about the end user, whichever key the call has', async () => {
    for (const key of [randomUUID(), randomUUID()]) {
      await ask({ 'X-Partner-End-User-Id': hash.toUpperCase(), 'X-Idempotency-Key': key })
    }
    expect(policy.requests.map(({ subject }) => subject)).toEqual([hash, hash])
  })

  it('is about the idempotency key where no end user is named', async () => {
    const key = randomUUID()
    await ask({ 'X-Idempotency-Key': key })
    expect(policy.requests.map(({ subject }) => subject)).toEqual([key])
  })

  it('leaves no trace of the end user in the stored call', async () => {
    await ask({ 'X-Partner-End-User-Id': hash })
    const rows = await service.context.db.selectFrom('service_calls').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(hash)
  })
})

describe('an explained choice of openers', () => {
  const explain = async () => {
    const { body } = await ask({ 'X-Service-Explain': 'true' })
    return body.explain
  }

  it('names the arm, the order, its probabilities and the use of evidence', async () => {
    const { policy: explained, candidates } = await explain()
    expect(explained).toEqual({
      arm: 'learned',
      styles: REVERSED,
      probabilities: [0.25, 0.25, 0.25, 0.25],
      uses_evidence: true,
    })
    const passed = candidates.filter(({ outcome }: { outcome: string }) => outcome === 'passed')
    for (const { text, scores } of passed) {
      expect(scores.preference).toBeCloseTo([...text].length / 100, 3)
    }
    expect(passed.length).toBeGreaterThan(0)
  })

  it('shows a fixed order for the control group, and no preference', async () => {
    const selection = { arm: 'control', bucket: 7, styles: [], probabilities: null } as const
    const control = createReversingPolicy({ selection, preference: undefined })
    await restart({ openerPolicy: control })
    const { policy: explained, candidates } = await explain()
    expect(explained).toEqual({
      arm: 'control',
      styles: REVERSED,
      uses_evidence: false,
    })
    expect(JSON.stringify(candidates)).not.toContain('"preference"')
  })

  it('has no arm while learning is off', async () => {
    await restart({ openerPolicy: FIXED_POLICY })
    expect((await explain()).policy).toEqual({
      styles: REVERSED.toReversed(),
      uses_evidence: false,
    })
  })
})
