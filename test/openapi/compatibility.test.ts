import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { listBreakingChanges } from '../../src/tools/openapi/breaking-changes.js'
import { API_ROUTES } from '../../src/http/api-routes.js'
import { partnerHeadersSchema } from '../../src/http/partner-headers.js'
import { describeApi } from '../../src/openapi/describe-api.js'

// Tests change documents in ways that types would forbid.
// eslint-disable-next-line typescript/no-explicit-any
type Document = any

const document: Document = JSON.parse(JSON.stringify(describeApi(API_ROUTES, partnerHeadersSchema)))

describe('the interface', () => {
  it('keeps what docs/openapi.snapshot.json documents', async () => {
    expect(listBreakingChanges(await readSnapshot(), document)).toEqual([])
  })

  it('equals docs/openapi.snapshot.json (after an addition: npm run openapi)', async () => {
    expect(document).toEqual(await readSnapshot())
  })
})

describe('a change of the interface', () => {
  const schemas = (changed: Document) => changed.components.schemas
  const openers = (changed: Document) => changed.paths['/v1/conversation/openers'].post

  it.each<[string, (changed: Document) => void, RegExp]>([
    ['a call', (api) => delete api.paths['/v1/events'], /^POST \/v1\/events is gone$/],
    ['a status', (api) => delete openers(api).responses[503], /openers: status 503 is gone/],
    [
      'the stream',
      (api) => delete openers(api).responses[200].content['text/event-stream'],
      /openers: 200: text\/event-stream is gone/,
    ],
    [
      'an event of the stream',
      (api) => delete openers(api).responses[200].content['text/event-stream']['x-events'].opener,
      /openers: 200: event opener is gone/,
    ],
    [
      'an error code',
      (api) => removeValue(errorCodes(api, 'TooManyRequests'), 'quota_exceeded'),
      /429: answer\.error: the value "quota_exceeded" is gone/,
    ],
    [
      'a response header',
      (api) => delete api.components.responses.TooManyRequests.headers['Retry-After'],
      /429: header Retry-After is gone/,
    ],
    [
      'the guarantee of a response header',
      (api) => (api.components.headers['X-Service-Plan'].required = false),
      /200: header X-Service-Plan may be missing/,
    ],
    [
      'a request header',
      (api) => api.paths['/v1/match/evaluate'].parameters.shift(),
      /evaluate: header X-Idempotency-Key is gone/,
    ],
    [
      'a field of an answer',
      (api) => delete schemas(api).Opener.properties.length,
      /200: answer\.openers\[\]\.length is gone/,
    ],
    [
      'the guarantee of a field of an answer',
      (api) => removeValue(schemas(api).MatchResponse.required, 'reason'),
      /200: answer\.reason may be missing/,
    ],
    [
      'a field of a body',
      (api) => delete schemas(api).User.properties.preferences,
      /body\.user_a\.preferences is gone/,
    ],
    [
      'a value of a body',
      (api) => removeValue(schemas(api).Tone.enum, 'witty'),
      /body\.tone: the value "witty" is gone/,
    ],
    [
      'a value of an answer',
      (api) => removeValue(schemas(api).Style.enum, 'open_question'),
      /answer\.openers\[\]\.style: the value "open_question" is gone/,
    ],
  ])('is breaking when it removes %s', (_part, change, finding) => {
    expect(findingsOf(change)).toContainEqual(expect.stringMatching(finding))
  })

  it.each<[string, (changed: Document) => void, RegExp]>([
    [
      'the type of a field of an answer',
      (api) => (schemas(api).Opener.properties.length.type = 'string'),
      /answer\.openers\[\]\.length: type "integer" → "string"/,
    ],
    [
      'the type of a field of a body',
      (api) => (schemas(api).OpenersRequest.properties.count.type = 'string'),
      /body\.count: type "integer" → "string"/,
    ],
    [
      'the range of a field of an answer',
      (api) => (schemas(api).MatchResponse.properties.confidence.maximum = 100),
      /answer\.confidence: maximum 1 → 100/,
    ],
    [
      'the pattern of an answer',
      (api) => (schemas(api).MatchResponse.properties.request_id.pattern = '^r-'),
      /answer\.request_id: pattern/,
    ],
    [
      'the name of an operation',
      (api) => (openers(api).operationId = 'writeOpeners'),
      /openers: operationId has changed/,
    ],
    ['the required key', (api) => (openers(api).security = []), /openers: security has changed/],
  ])('is breaking when it changes %s', (_part, change, finding) => {
    expect(findingsOf(change)).toContainEqual(expect.stringMatching(finding))
  })

  it.each<[string, (changed: Document) => void, RegExp]>([
    [
      'a lower limit',
      (api) => (schemas(api).User.properties.bio.maxLength = 4_000),
      /body\.user_a\.bio: maxLength 5000 → 4000/,
    ],
    [
      'a new limit',
      (api) => (schemas(api).User.properties.bio.minLength = 10),
      /body\.user_a\.bio: minLength – → 10/,
    ],
    [
      'a new format',
      (api) => (schemas(api).EventRecord.properties.context.properties.opener_index.format = 'x'),
      /body\[\]\.context\.opener_index: format/,
    ],
    [
      'a field that was optional',
      (api) => schemas(api).User.required.push('preferences'),
      /body\.user_b\.preferences has become required/,
    ],
    [
      'a header that was optional',
      (api) => (api.components.parameters['X-Idempotency-Key'].required = true),
      /header X-Idempotency-Key has become required/,
    ],
    [
      'no other fields where any were allowed',
      (api) => (schemas(api).Preferences.additionalProperties = false),
      /body\.sender\.preferences: additionalProperties/,
    ],
  ])('is breaking when it demands %s', (_part, change, finding) => {
    expect(findingsOf(change)).toContainEqual(expect.stringMatching(finding))
  })

  it.each<[string, (changed: Document) => void]>([
    ['a call', (api) => (api.paths['/v1/more'] = api.paths['/v1/events'])],
    ['a status', (api) => (openers(api).responses[409] = openers(api).responses[503])],
    ['an error code', (api) => errorCodes(api, 'TooManyRequests').push('too_fast')],
    ['an optional field of a body', (api) => (schemas(api).User.properties.age = {})],
    ['a field of an answer', (api) => (schemas(api).Opener.properties.tone = {})],
    ['a guaranteed field of an answer', (api) => schemas(api).Evidence.required.push('photo')],
    ['a value', (api) => schemas(api).Tone.enum.push('dry')],
    ['a narrower range of an answer', (api) => (schemas(api).Opener.properties.length.minimum = 1)],
    [
      'a wider range of a body',
      (api) => (schemas(api).OpenersRequest.properties.count.maximum = 9),
    ],
    ['another text', (api) => (schemas(api).User.description = 'A person.')],
  ])('is compatible when it adds %s', (_part, change) => {
    expect(findingsOf(change)).toEqual([])
  })
})

function findingsOf(change: (changed: Document) => void): string[] {
  const changed = structuredClone(document)
  change(changed)
  expect(changed).not.toEqual(document)
  return listBreakingChanges(document, changed)
}

function errorCodes(changed: Document, response: string): string[] {
  const { schema } = changed.components.responses[response].content['application/json']
  return schema.properties.error.enum
}

function removeValue(values: string[], value: string): void {
  values.splice(values.indexOf(value), 1)
}

async function readSnapshot(): Promise<Document> {
  return JSON.parse(await readFile('docs/openapi.snapshot.json', 'utf8'))
}
