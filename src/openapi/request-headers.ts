import { z } from 'zod'

/** Request headers beside `Authorization`: documented name and text by the name in the schema. */
const REQUEST_HEADERS: Record<string, { name: string; description: string }> = {
  'x-idempotency-key': {
    name: 'X-Idempotency-Key',
    description:
      'A UUID of your choice that makes a retry safe: for 24 hours the same key with the same body gets the first answer again, uncharged.',
  },
  'x-partner-end-user-id': {
    name: 'X-Partner-End-User-Id',
    description:
      "SHA-256 of your end user's identifier as 64 hex digits, for analytics per user, and so that a user stays on one side while openers that learn from replies are compared with openers that do not. Never the identifier itself.",
  },
  'x-service-synthetic': {
    name: 'X-Service-Synthetic',
    description:
      'With a test key, `never` asks for the real error where synthetic data would be answered.',
  },
  'x-service-explain': {
    name: 'X-Service-Explain',
    description:
      'With a test key, `true` adds `explain` to the answers of the calls that use models: what was measured, weighed and rejected on the way. Refused with a live key.',
  },
}

/**
 * The headers that every call accepts, as OpenAPI parameters by name.
 * @throws Error for a header without a text above
 */
export function describeRequestHeaders(headers: z.ZodType) {
  const { properties = {} } = z.toJSONSchema(headers, { io: 'input' })
  return Object.fromEntries(
    Object.entries(properties).map(([header, schema]) => {
      const documented = REQUEST_HEADERS[header]
      if (!documented) throw new Error(`The request header ${header} is not documented.`)
      const { name, description } = documented
      return [name, { name, in: 'header', required: false, description, schema }]
    }),
  )
}
