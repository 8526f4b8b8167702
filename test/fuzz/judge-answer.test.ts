import type { FuzzAnswer } from '../../src/tools/fuzz/service/send-request.js'
import { judgeAnswer } from '../../src/tools/fuzz/service/judge-answer.js'
import { judgeService } from '../../src/tools/fuzz/judge-service.js'

const quota = {
  'x-service-plan': 'free',
  'x-service-capability': 'events',
  'x-service-quota-used': '0',
  'x-service-quota-included': '1',
}
const answerWith = (status: number, error: string, more: Partial<FuzzAnswer> = {}): FuzzAnswer => ({
  status,
  headers: quota,
  text: JSON.stringify({ error, message: 'Do something else.', request_id: 'req_1' }),
  ...more,
})

describe('an answer', () => {
  it.each([
    ['200', answerWith(200, 'x'), 'answered'],
    ['400 for its shape', answerWith(400, 'invalid_request'), 'refused'],
    ['400 after the models worked', answerWith(400, 'unsafe_content'), 'answered'],
    ['413', answerWith(413, 'payload_too_large'), 'refused'],
  ])('passes with %s', (_what, answer, outcome) => {
    expect(judgeAnswer(answer)).toBe(outcome)
  })

  it('that is streamed is a finding if it ends with a failure of the service', () => {
    const failure = { error: 'internal_error', message: 'Retry.', request_id: 'req_1' }
    const text = `event: opener\ndata: {}\n\nevent: error\ndata: ${JSON.stringify(failure)}\n\n`
    expect(() => judgeAnswer(answerWith(200, 'x', { text }))).toThrow('internal_error')
    const refusal = text.replace('internal_error', 'unsafe_content')
    expect(judgeAnswer(answerWith(200, 'x', { text: refusal }))).toBe('answered')
  })

  it.each([
    ['500', answerWith(500, 'internal_error')],
    ['an undocumented status', answerWith(418, 'invalid_request')],
    ['a code of another status', answerWith(400, 'not_found')],
    ['an unknown code', answerWith(400, 'teapot')],
    ['a failed worker', answerWith(503, 'model_unavailable')],
    ['no Retry-After', answerWith(503, 'overloaded')],
    ['a body that is no JSON', answerWith(400, 'invalid_request', { text: '<html>' })],
    ['an empty body', answerWith(400, 'invalid_request', { text: '' })],
    ['an echo', answerWith(400, 'invalid_request', { text: `"${'x'.repeat(5_000)}"` })],
    ['no quota headers', answerWith(200, 'x', { headers: {} })],
  ])('is a finding with %s', (_what, answer) => {
    expect(() => judgeAnswer(answer)).toThrow(expect.objectContaining({ name: 'Finding' }))
  })
})

describe('a service after all inputs', () => {
  const health = { polls: 10, failures: 0, p99Ms: 5, maxMs: 20 }
  const server = {
    process: 'server' as const,
    firstMb: 200,
    middleMb: 300,
    lastMb: 320,
    peakMb: 400,
  }
  const good = { health, memory: [server], workerFailures: 0 }

  it('passes', () => {
    expect(judgeService(good)).toEqual([])
  })

  it.each([
    ['grew', { ...good, memory: [{ ...server, lastMb: 900, peakMb: 950 }] }],
    ['took too much memory', { ...good, memory: [{ ...server, peakMb: 5_000 }] }],
    ['was not healthy', { ...good, health: { ...health, failures: 1 } }],
    ['was blocked', { ...good, health: { ...health, maxMs: 5_000 } }],
    ['lost a worker', { ...good, workerFailures: 1 }],
  ])('is a finding if it %s', (_what, report) => {
    expect(judgeService(report)).toHaveLength(1)
  })
})
