import type { z } from 'zod'
import { API_INTRODUCTION } from './api-introduction.js'
import { CALL_DOCUMENTS } from './call-documents.js'
import { createComponentSchemas, type JsonSchema } from './component-schemas.js'
import { describeCall, type DocumentedCall } from './describe-call.js'
import { describeErrorResponses } from './error-responses.js'
import { OPERATIONAL_PATHS } from './operational-paths.js'
import { describeRequestHeaders } from './request-headers.js'
import { RESPONSE_HEADERS } from './response-headers.js'

/** The parts of an OpenAPI 3.1 document that this code reads. */
export interface ApiDocument {
  openapi: string
  paths: Record<string, object>
  components: { schemas: Record<string, JsonSchema> } & Record<string, object>
  [field: string]: unknown
}

/** Version of the interface; the minor number grows with every compatible addition to /v1. */
const API_VERSION = '1.1.0'

/**
 * Describes the interface as an OpenAPI document, from the zod schemas that validate it.
 * @param calls - definition by path, all by POST
 * @param headers - schema of the request headers that every call accepts
 */
export function describeApi(
  calls: Readonly<Record<string, DocumentedCall>>,
  headers: z.ZodType,
): ApiDocument {
  const requestHeaders = describeRequestHeaders(headers)
  const parameters = Object.keys(requestHeaders).map((name) => ({
    $ref: `#/components/parameters/${name}`,
  }))
  const paths = Object.entries(calls).map(([path, call]) => [
    path,
    { parameters, post: describeCall(call) },
  ])
  return {
    openapi: '3.1.0',
    info: {
      title: 'Profile Intelligence Service',
      version: API_VERSION,
      description: API_INTRODUCTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    security: [{ apiKey: [] }],
    tags: [
      { name: 'Calls', description: 'For partners, with an API key.' },
      { name: 'Operation', description: 'For load balancers and operators, without a key.' },
    ],
    paths: { ...Object.fromEntries(paths), ...OPERATIONAL_PATHS },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `sk_test_…` for development, `sk_live_…` for production.',
        },
      },
      parameters: requestHeaders,
      headers: RESPONSE_HEADERS,
      responses: describeErrorResponses(),
      schemas: createComponentSchemas(nameSchemas(Object.values(calls))),
    },
  }
}

function nameSchemas(calls: readonly DocumentedCall[]): Record<string, z.ZodType> {
  const named = calls.flatMap(({ capability, body, response }) => {
    const { requestName, responseName } = CALL_DOCUMENTS[capability]
    return [
      [requestName, body],
      [responseName, response],
    ]
  })
  return Object.fromEntries(named)
}
