import { ERROR_STATUS, type ErrorCode } from '../core/service-error.js'
import { CAPABILITIES, type Capability } from '../organizations/capability.js'

export interface ErrorMeaning {
  /** When it happens and what to do, for the partner's engineer. */
  meaning: string
  /** Calls that can answer it; empty for codes about unknown paths and methods. */
  calls: readonly Capability[]
}

const WITH_PHOTOS = [
  'profile.infer_preferences',
  'match.evaluate',
  'conversation.openers',
] as const satisfies readonly Capability[]

/** Meaning of every error code, for the API documentation and the portal. */
export const ERROR_MEANINGS: Record<ErrorCode, ErrorMeaning> = {
  invalid_request: {
    meaning: 'Body or headers have the wrong shape. The message names the fields.',
    calls: CAPABILITIES,
  },
  invalid_recipient: {
    meaning: 'The recipient lacks a required field, such as photos or bio.',
    calls: ['conversation.openers'],
  },
  invalid_user: {
    meaning: 'A user lacks a required field, such as photos or bio.',
    calls: ['profile.infer_preferences', 'match.evaluate'],
  },
  unsafe_content: {
    meaning: 'A photo, or for openers the bio, failed the content safety check.',
    calls: WITH_PHOTOS,
  },
  photo_unavailable: {
    meaning: 'A photo could not be fetched, is too large, or is no image.',
    calls: WITH_PHOTOS,
  },
  idempotency_key_reused: {
    meaning: 'The idempotency key belongs to an earlier request with another body.',
    calls: CAPABILITIES,
  },
  missing_api_key: { meaning: 'The request carries no API key.', calls: CAPABILITIES },
  invalid_api_key: { meaning: 'There is no such key, or it was revoked.', calls: CAPABILITIES },
  api_key_expired: {
    meaning: 'The key was rotated more than 24 hours ago, or its time is over.',
    calls: CAPABILITIES,
  },
  capability_not_allowed: {
    meaning: 'The key may not use this capability.',
    calls: CAPABILITIES,
  },
  not_found: { meaning: 'There is nothing at this path.', calls: [] },
  method_not_allowed: { meaning: 'The path takes another method; see `Allow`.', calls: [] },
  payload_too_large: {
    meaning: 'The body is larger than the server accepts.',
    calls: CAPABILITIES,
  },
  unsupported_media_type: {
    meaning: 'The body is not sent as `application/json`, or in an unknown encoding.',
    calls: CAPABILITIES,
  },
  quota_exceeded: {
    meaning: "The plan's monthly cap is reached. It starts anew with the next month (UTC).",
    calls: CAPABILITIES,
  },
  rate_limited: {
    meaning: 'Too many requests within a minute. Retry as `Retry-After` says.',
    calls: CAPABILITIES,
  },
  internal_error: {
    meaning: 'The service failed. The request is safe to retry and was not charged.',
    calls: CAPABILITIES,
  },
  model_unavailable: {
    meaning: 'A model cannot answer right now. Retry as `Retry-After` says.',
    calls: WITH_PHOTOS,
  },
  overloaded: {
    meaning: 'The service is busy. Retry as `Retry-After` says.',
    calls: CAPABILITIES,
  },
  storage_unavailable: {
    meaning:
      'The service cannot use its database right now. Retry as `Retry-After` says, best with an idempotency key.',
    calls: CAPABILITIES,
  },
}

/** The error codes that a call can answer, by status in ascending order. */
export function listErrorsOf(capability: Capability): Map<number, ErrorCode[]> {
  const codes = (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) =>
    ERROR_MEANINGS[code].calls.includes(capability),
  )
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of codes.sort((a, b) => ERROR_STATUS[a] - ERROR_STATUS[b])) {
    const status = ERROR_STATUS[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return byStatus
}
