import { z } from 'zod'
import { requestIdSchema } from '../profile/profile-fields.js'

const EVENT_KINDS = ['opener_sent', 'conversation_reply'] as const

/** Limits of a batch of events; the API documentation states all of them. */
const EVENT_LIMITS = {
  records: 1_000,
  timestampCharacters: 40,
  openerIndex: 4,
} as const

const timestampSchema = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 date and time in UTC' })
  .max(EVENT_LIMITS.timestampCharacters)
  .regex(/(?:Z|\+00:00)$/, 'must be in UTC, with `Z` or `+00:00` at its end')
  .meta({
    description:
      'When the outcome happened: ISO 8601 in UTC, such as `2026-07-15T12:00:00Z`, from 2020 to at most 24 hours ahead.',
    // Zod omits the format because of the additional pattern.
    format: 'date-time',
  })

export const eventSchema = z.strictObject({
  ts: timestampSchema,
  end_user_id: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, 'must be a SHA-256 hash of the identifier, as 64 hex digits')
    .describe("SHA-256 of the partner's user identifier, as 64 hex digits."),
  event: z.enum(EVENT_KINDS),
  idempotency_key: z
    .guid('must be a UUID')
    .describe('A record with the same key is stored and counted once, whenever it is sent again.'),
  context: z.strictObject({
    originating_request_id: requestIdSchema
      .max(64)
      .describe('`request_id` of the call that led to the event.'),
    opener_index: z
      .int()
      .min(0)
      .max(EVENT_LIMITS.openerIndex)
      .optional()
      .describe(
        'Which opener of that call, from 0. Without it the event counts for each style of the call in equal shares.',
      ),
  }),
})

export const eventsRequestSchema = z.array(eventSchema).min(1).max(EVENT_LIMITS.records)

export const eventsResponseSchema = z.object({
  request_id: requestIdSchema,
  accepted: z.int().min(0).describe('Records stored by this call.'),
  duplicates: z
    .int()
    .min(0)
    .describe('Records that were not stored, because one with the same key was there before.'),
})

export type EventKind = (typeof EVENT_KINDS)[number]
export type EventRecord = z.infer<typeof eventSchema>
