import type { z } from 'zod'
import type { Capability } from '../organizations/capability.js'
import { CALL_DOCUMENTS } from './call-documents.js'
import { referenceTo } from './component-schemas.js'
import { referToErrorResponses } from './error-responses.js'
import { describeOpenerStream } from './opener-stream.js'
import { describeResponseHeaders } from './response-headers.js'

/** The parts of a call definition that the documentation uses. */
export interface DocumentedCall {
  capability: Capability
  summary: string
  body: z.ZodType
  response: z.ZodType
  streams?: unknown
}

/** Describes one call as an OpenAPI operation. */
export function describeCall({ capability, summary, streams }: DocumentedCall) {
  const call = CALL_DOCUMENTS[capability]
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
      ...referToErrorResponses(capability),
    },
  }
}
