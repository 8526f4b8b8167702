import { CAPABILITIES } from '../organizations/capability.js'

const count = { type: 'integer', minimum: 0 }

/** Response headers as OpenAPI components. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': {
    description: 'Identifier of the request, the same as `request_id` in the body.',
    required: true,
    schema: { type: 'string', pattern: '^req_[0-9a-z]+$' },
  },
  'X-Service-Plan': {
    description: "Name of the organisation's plan; `none` as long as the key is not known.",
    required: true,
    schema: { type: 'string' },
  },
  'X-Service-Capability': {
    description: 'The capability that handled the call.',
    required: true,
    schema: { type: 'string', enum: [...CAPABILITIES, 'none'] },
  },
  'X-Service-Quota-Used': {
    description: 'Calls charged this month (UTC) for this capability and environment.',
    required: true,
    schema: count,
  },
  'X-Service-Quota-Included': {
    description: 'Calls a month that the plan includes.',
    required: true,
    schema: count,
  },
  'X-Service-Quota-Warning': {
    description: "Present from the plan's soft cap on. Calls are still served.",
    required: false,
    schema: { type: 'string', const: 'soft_cap_reached' },
  },
  'X-Service-Synthetic': {
    description: 'Present when a test key was answered with synthetic data.',
    required: false,
    schema: { type: 'string', const: 'true' },
  },
  'Idempotent-Replayed': {
    description: 'Present when this is the stored answer of an earlier request with the same key.',
    required: false,
    schema: { type: 'string', const: 'true' },
  },
  'RateLimit-Policy': {
    description: 'Requests (`q`) that the plan allows in a window of `w` seconds.',
    required: true,
    schema: { type: 'string' },
    example: '"minute";q=300;w=60',
  },
  RateLimit: {
    description: 'Requests that remain (`r`), and seconds until one more is let in (`t`).',
    required: true,
    schema: { type: 'string' },
    example: '"minute";r=299;t=0',
  },
  'Server-Timing': {
    description:
      'Milliseconds the answer took (`total`), waited for its turn (`queue`) and spent in the models (`vision`, `language`); parts that ran side by side are added up. Not on streams.',
    required: false,
    schema: { type: 'string' },
    example: 'queue;dur=0.1, vision;dur=38.2, total;dur=52.7',
  },
  'Retry-After': {
    description: 'Whole seconds after which a retry can succeed.',
    required: true,
    schema: count,
  },
  'WWW-Authenticate': {
    description: 'Always `Bearer`.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
} as const

export type ResponseHeader = keyof typeof RESPONSE_HEADERS

const QUOTA: ResponseHeader[] = [
  'X-Request-Id',
  'X-Service-Plan',
  'X-Service-Capability',
  'X-Service-Quota-Used',
  'X-Service-Quota-Included',
  'Server-Timing',
]
const ADMITTED: ResponseHeader[] = [
  ...QUOTA,
  'X-Service-Quota-Warning',
  'RateLimit-Policy',
  'RateLimit',
]

/** References to the headers of a call's response with this status. */
export function describeResponseHeaders(status: number) {
  return referToHeaders(headersOf(status))
}

export function referToHeaders(names: readonly ResponseHeader[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

function headersOf(status: number): readonly ResponseHeader[] {
  switch (status) {
    case 200:
      return [...ADMITTED, 'X-Service-Synthetic', 'Idempotent-Replayed']
    case 401:
      return [...QUOTA, 'WWW-Authenticate']
    case 403:
    case 500:
      return QUOTA
    case 429:
    case 503:
      return [...ADMITTED, 'Retry-After']
    default:
      return ADMITTED
  }
}
