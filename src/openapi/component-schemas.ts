import { z } from 'zod'
import { ERROR_STATUS, type ErrorBody, type ErrorCode } from '../core/service-error.js'
import { eventSchema } from '../events/events-contract.js'
import { explainedPhotoSchema, modelsInUseSchema } from '../profile/explanation-fields.js'
import { matchExplanationSchema, matchResponseSchema } from '../match/match-contract.js'
import { indexedOpenerSchema, openerDeltaSchema } from '../openers/opener-events.js'
import {
  openerSchema,
  openersExplanationSchema,
  openersRequestSchema,
} from '../openers/openers-contract.js'
import {
  evidenceSchema,
  preferencesExplanationSchema,
} from '../preferences/preferences-contract.js'
import { preferencesSchema, requestIdSchema, userSchema } from '../profile/profile-fields.js'
import { aliveSchema, readySchema } from '../telemetry/health-contract.js'

const errorCodeSchema = z.enum(Object.keys(ERROR_STATUS) as [ErrorCode, ...ErrorCode[]])

const errorBodySchema: z.ZodType<ErrorBody> = z.object({
  error: errorCodeSchema,
  message: z.string().describe('For people; may change at any time.'),
  request_id: requestIdSchema,
})

/** Schemas that several calls share, or that only the documentation names. */
const SHARED_SCHEMAS = {
  User: userSchema,
  Preferences: preferencesSchema,
  Evidence: evidenceSchema,
  Opener: openerSchema,
  OpenerDelta: openerDeltaSchema,
  IndexedOpener: indexedOpenerSchema,
  EventRecord: eventSchema,
  ModelsInUse: modelsInUseSchema,
  ExplainedPhoto: explainedPhotoSchema,
  PreferencesExplanation: preferencesExplanationSchema,
  MatchExplanation: matchExplanationSchema,
  OpenersExplanation: openersExplanationSchema,
  Style: openerSchema.shape.style,
  Tone: openersRequestSchema.shape.tone.unwrap(),
  ReasonCategory: matchResponseSchema.shape.reason_category,
  EventKind: eventSchema.shape.event,
  ErrorCode: errorCodeSchema,
  ErrorBody: errorBodySchema,
  Alive: aliveSchema,
  Ready: readySchema,
}

export type JsonSchema = Record<string, unknown>

/**
 * Converts the zod schemas that validate bodies to JSON Schemas by name, which refer to each other by
 * `#/components/schemas/<name>`.
 * @param named - zod schemas of the calls by name, beside the shared ones
 */
export function createComponentSchemas(
  named: Readonly<Record<string, z.ZodType>>,
): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries({ ...SHARED_SCHEMAS, ...named })) {
    registry.add(schema, { id })
  }
  const { schemas } = z.toJSONSchema(registry, {
    // Answers have no defaults, so input equals output, and stay open to fields of later versions.
    io: 'input',
    uri: referenceTo,
    override: ({ jsonSchema }) => {
      dropSafeIntegerBounds(jsonSchema)
      dropDatePattern(jsonSchema)
    },
  })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $id: _id, $schema: _dialect, ...schema }]) => [
      name,
      schema,
    ]),
  )
}

export function referenceTo(name: string): string {
  return `#/components/schemas/${name}`
}

/** Drops zod's expression of all calendar rules: the format says the same. */
function dropDatePattern(schema: JsonSchema): void {
  if (schema.format !== 'date-time' || !Array.isArray(schema.allOf)) return
  const [, own] = schema.allOf as JsonSchema[]
  delete schema.allOf
  Object.assign(schema, own)
}

/** Drops the range of integers that a double holds exactly, which is noise to a reader. */
function dropSafeIntegerBounds(schema: { minimum?: number; maximum?: number }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}
