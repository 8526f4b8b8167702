import { Validator } from '@seriousme/openapi-schema-validator'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { API_ROUTES } from '../../src/http/api-routes.js'
import { partnerHeadersSchema } from '../../src/http/partner-headers.js'
import { createApp } from '../../src/http/app.js'
import { ERROR_STATUS } from '../../src/core/service-error.js'
import { describeApi, type ApiDocument } from '../../src/openapi/describe-api.js'
import { startService, type Service } from '../http/_service.js'
import { createApiValidator } from './_api-validator.js'

/** Routes that are not for partners. */
const UNDOCUMENTED = ['get /metrics', 'get /openapi.json']

const METHODS = ['get', 'post', 'put', 'patch', 'delete']

describe('the OpenAPI document', () => {
  let service: Service
  let document: ApiDocument
  beforeAll(async () => {
    service = await startService()
    const response = await fetch(`${service.baseUrl}/openapi.json`)
    document = (await response.json()) as ApiDocument
  })
  afterAll(() => service.close())

  it('is what the service serves', () => {
    expect(document).toEqual(
      JSON.parse(JSON.stringify(describeApi(API_ROUTES, partnerHeadersSchema))),
    )
  })

  it('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect([valid, errors]).toEqual([true, undefined])
  })

  it('describes every registered route, and registers every route it describes', () => {
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      METHODS.filter((method) => method in item).map((method) => `${method} ${path}`),
    )
    expect([...described, ...UNDOCUMENTED].sort()).toEqual(listRoutes(service).sort())
  })

  it('lists every error code', () => {
    const { description } = document.info as { description: string }
    for (const [code, status] of Object.entries(ERROR_STATUS)) {
      expect(description).toContain(`| ${status} | \`${code}\` |`)
    }
  })

  it('has no dangling references', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)
    for (const [, pointer] of references) {
      expect([pointer, valueAt(document, pointer!.split('/'))]).not.toContain(undefined)
    }
  })

  it('has only examples that match their schemas', () => {
    const validator = createApiValidator(document)
    const examples = findExamples(document)
    expect(examples.length).toBeGreaterThan(35)
    for (const { pointer, example } of examples) {
      expect([pointer.join('/'), validator.check([...pointer, 'schema'], example)]).toEqual([
        pointer.join('/'),
        [],
      ])
    }
  })
})

function listRoutes(service: Service): string[] {
  const { stack } = createApp(service.context).router
  return stack.flatMap(({ route }) => {
    if (!route) return []
    const methods = route.stack.map(({ method }) => method)
    // A route for every method refuses the methods that are not allowed.
    if (methods.includes('trace')) return []
    return [...new Set(methods)].map((method) => `${method} ${route.path}`)
  })
}

interface Example {
  /** JSON pointer of the object that has the example and its schema. */
  pointer: string[]
  example: unknown
}

function findExamples(value: unknown, pointer: string[] = []): Example[] {
  if (value === null || typeof value !== 'object') return []
  const found: Example[] = []
  if ('schema' in value && 'example' in value) found.push({ pointer, example: value.example })
  if ('schema' in value && 'examples' in value) {
    const named = Object.values(value.examples as Record<string, { value: unknown }>)
    found.push(...named.map((example) => ({ pointer, example: example.value })))
  }
  return [
    ...found,
    ...Object.entries(value).flatMap(([key, inner]) => findExamples(inner, [...pointer, key])),
  ]
}

function valueAt(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) => (inner as Record<string, unknown> | undefined)?.[key.replaceAll('~1', '/')],
    value,
  )
}
