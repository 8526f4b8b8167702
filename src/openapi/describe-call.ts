import { STATUS_CODES } from 'node:http'
import type { z } from 'zod'
import type { ErrorCode } from '../errors.js'
import type { Capability } from '../organizations/capability.js'
import { CALL_DOCUMENTS, REQUEST_ID } from './call-documents.js'
import { referenceTo } from './component-schemas.js'
import { describeResponseHeaders } from './response-headers.js'
import { ERROR_MEANINGS, listErrorsOf } from './error-meanings.js'
import { describeOpenerStream } from './opener-stream.js'

/** What the documentation takes from an endpoint. */
export interface DocumentedCall {
  capability: Capability
  summary: string
  body: z.ZodType
  response: z.ZodType
  streams?: unknown
}

/** One call as an OpenAPI operation. */
export function describeCall({ capability, summary, streams }: DocumentedCall) {
  const call = CALL_DOCUMENTS[capability]
  const errors = [...listErrorsOf(capability)].map(([status, codes]) => [
    status,
    describeError(status, codes),
  ])
  return {
    operationId: call.operationId,
    tags: ['Calls'],
    summary,
    description: `${call.description}\n\nCapability of the key: \`${capability}\`.`,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: referenceTo(call.requestName) },
          example: call.requestExample,
        },
      },
    },
    responses: {
      200: {
        description: streams ? 'The answer, whole or as a stream of events.' : 'The answer.',
        headers: describeResponseHeaders(200),
        content: {
          'application/json': {
            schema: { $ref: referenceTo(call.responseName) },
            example: call.responseExample,
          },
          ...(streams ? { 'text/event-stream': describeOpenerStream() } : {}),
        },
      },
      ...Object.fromEntries(errors),
    },
  }
}

function describeError(status: number, codes: readonly ErrorCode[]) {
  return {
    description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    headers: describeResponseHeaders(status),
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: referenceTo('Error') }],
          properties: { error: { enum: codes } },
        },
        examples: Object.fromEntries(
          codes.map((error) => {
            const message = ERROR_MEANINGS[error].meaning
            return [error, { summary: error, value: { error, message, request_id: REQUEST_ID } }]
          }),
        ),
      },
    },
  }
}
