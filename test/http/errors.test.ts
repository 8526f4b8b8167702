import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readJson } from '../_read-json.js'
import { API_ROUTES } from '../../src/http/api-routes.js'
import { dataUrl, startService, type Service } from './_service.js'

const PATHS = Object.keys(API_ROUTES)
const QUOTA_HEADERS = [
  'x-service-plan',
  'x-service-capability',
  'x-service-quota-used',
  'x-service-quota-included',
]

describe('errors', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService({ env: { BODY_LIMIT_BYTES: '2000000' } })
  })
  afterAll(() => service.close())

  function expectError(answer: Awaited<ReturnType<Service['post']>>, status: number, code: string) {
    expect([answer.status, answer.body?.error]).toEqual([status, code])
    expect(Object.keys(answer.body).sort()).toEqual(['error', 'message', 'request_id'])
    expect(answer.body.request_id).toMatch(/^req_[0-9a-z]+$/)
    expect(answer.body.message).not.toBe('')
    for (const header of QUOTA_HEADERS) expect(answer.headers.has(header)).toBe(true)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  }

  it.each(PATHS)('refuses a call without a key on %s', async (path) => {
    const answer = await service.post(path, {}, { Authorization: '' })
    expectError(answer, 401, 'missing_api_key')
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })

  it.each(PATHS)('refuses an unknown key on %s before it reads the body', async (path) => {
    const answer = await service.post(path, 'not json at all', {
      Authorization: 'Bearer sk_test_0000000000000000000000000000000000000',
    })
    expectError(answer, 401, 'invalid_api_key')
  })

  it.each(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer  ', 'sk_test_abc'])(
    'refuses the authorization "%s"',
    async (authorization) => {
      const answer = await service.post('/v1/match/evaluate', {}, { Authorization: authorization })
      expect(answer.status).toBe(401)
    },
  )

  it.each(PATHS)('refuses broken JSON on %s without quoting it', async (path) => {
    const answer = await service.post(path, '{"bio": "secret-canary')
    expectError(answer, 400, 'invalid_request')
    expect(answer.text).not.toContain('canary')
  })

  it.each(['', 'null', '[]', '"text"', '7', '{}'])('refuses the body %p', async (body) => {
    const answer = await service.post('/v1/conversation/openers', body)
    expect(answer.status).toBe(400)
  })

  it('refuses another content type', async () => {
    const answer = await service.post('/v1/match/evaluate', 'a=b', {
      'Content-Type': 'application/x-www-form-urlencoded',
    })
    expectError(answer, 415, 'unsupported_media_type')
  })

  it('refuses an unknown content encoding', async () => {
    const answer = await service.post('/v1/match/evaluate', '{}', { 'Content-Encoding': 'zip' })
    expectError(answer, 415, 'unsupported_media_type')
  })

  it('refuses a body over the limit', async () => {
    const answer = await service.post('/v1/match/evaluate', `"${'x'.repeat(2_100_000)}"`)
    expectError(answer, 413, 'payload_too_large')
  })

  it('answers 404 for unknown paths and 405 for other methods', async () => {
    expectError(await service.post('/v1/nothing', {}), 404, 'not_found')
    const get = await fetch(`${service.baseUrl}/v1/match/evaluate`)
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST'])
    expect((await readJson(get)).error).toBe('method_not_allowed')
  })

  it('names the field of a bio that is too long without quoting it', async () => {
    const photo = await dataUrl()
    const answer = await service.post('/v1/profile/infer-preferences', {
      user: { id: 'u', photos: [photo], bio: 'canary '.repeat(20_000) },
    })
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.message).toContain('user.bio')
    expect(answer.text).not.toContain('canary')
  })

  it('reports only the first few of many problems', async () => {
    const photos = Array.from({ length: 10 }, () => 'ftp://nowhere')
    const answer = await service.post('/v1/profile/infer-preferences', {
      user: { id: 'u', photos, bio: 'b' },
    })
    expectError(answer, 400, 'invalid_request')
    expect(answer.body.message).toContain('and 5 more')
    expect(answer.text).not.toContain('nowhere')
  })

  it('answers internal_error without details after an unexpected failure', async () => {
    const { photoTagger } = service.context
    service.context.photoTagger = () => Promise.reject(new Error('canary in the works'))
    try {
      const answer = await service.post('/v1/profile/infer-preferences', {
        user: { id: 'u', photos: [await dataUrl()], bio: 'I paint boats.' },
      })
      expectError(answer, 500, 'internal_error')
      expect(answer.text).not.toContain('canary')
    } finally {
      service.context.photoTagger = photoTagger
    }
  })
})
