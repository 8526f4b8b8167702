import { STATUS_CODES } from 'node:http'
import type { ErrorCode } from '../core/service-error.js'
import { CAPABILITIES, type Capability } from '../organizations/capability.js'
import { CALL_DOCUMENTS, REQUEST_ID } from './call-documents.js'
import { referenceTo } from './component-schemas.js'
import { ERROR_MEANINGS, listErrorsOf } from './error-meanings.js'
import { describeResponseHeaders } from './response-headers.js'

/** Error responses as OpenAPI components by name: one for each status, or for each call where their codes differ. */
export function describeErrorResponses() {
  return Object.fromEntries(
    CAPABILITIES.flatMap((capability) =>
      [...listErrorsOf(capability)].map(([status, codes]) => [
        nameErrorResponse(capability, status),
        describeErrorResponse(status, codes),
      ]),
    ),
  )
}

/** References to the error responses of a call, by status. */
export function referToErrorResponses(capability: Capability) {
  return Object.fromEntries(
    [...listErrorsOf(capability).keys()].map((status) => [
      status,
      { $ref: `#/components/responses/${nameErrorResponse(capability, status)}` },
    ]),
  )
}

function nameErrorResponse(capability: Capability, status: number): string {
  const codesOf = (call: Capability) => String(listErrorsOf(call).get(status))
  const isShared = CAPABILITIES.every((other) => codesOf(other) === codesOf(capability))
  const name = STATUS_CODES[status]!.replaceAll(' ', '')
  if (isShared) return name
  const { operationId } = CALL_DOCUMENTS[capability]
  return operationId.charAt(0).toUpperCase() + operationId.slice(1) + name
}

function describeErrorResponse(status: number, codes: readonly ErrorCode[]) {
  return {
    description: `${STATUS_CODES[status]}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    headers: describeResponseHeaders(status),
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: referenceTo('ErrorBody') }],
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
