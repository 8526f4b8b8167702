import { once } from 'node:events'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import { jest } from '@jest/globals'
import { dataUrl, startService, type Service } from './_service.js'

const MINUTE = 60_000

describe('a body that takes more than a minute to arrive', () => {
  let service: Service
  beforeAll(async () => {
    service = await startService()
  })
  afterEach(() => {
    jest.useRealTimers()
  })
  afterAll(() => service.close())

  async function upload(path: string, body: unknown, headers: Record<string, string> = {}) {
    jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'performance', 'setImmediate'] })
    const request = http.request(service.baseUrl + path, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${service.apiKey}`,
        'Content-Type': 'application/json',
        Expect: '100-continue',
        ...headers,
      },
    })
    const isReading = service.untilRead(0)
    request.flushHeaders()
    await once(request, 'continue')
    // Before that the server asks its database, whose answers would be late too.
    await isReading
    jest.advanceTimersByTime(1.5 * MINUTE)
    jest.useRealTimers()
    request.end(JSON.stringify(body))
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    return { status: response.statusCode, body: JSON.parse(await text(response)) as unknown }
  }

  it('does not count towards REQUEST_TIMEOUT_MS', async () => {
    const user = { id: 'u', photos: [await dataUrl()], bio: 'Sourdough, pottery and a cat.' }
    const answer = await upload('/v1/profile/infer-preferences', { user })
    expect(answer).toMatchObject({ status: 200 })
  })

  it('is refused with an HTTP status even if a stream was requested', async () => {
    const answer = await upload('/v1/conversation/openers', {}, { Accept: 'text/event-stream' })
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_recipient' } })
  })
})
