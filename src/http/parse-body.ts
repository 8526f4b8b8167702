import type { z } from 'zod'
import { ServiceError, type ErrorCode } from '../core/service-error.js'

const MAX_REPORTED_ISSUES = 5
const MAX_QUOTED_CHARACTERS = 200

export interface ParsedShape<Body> {
  body: z.ZodType<Body>
  /** Code for a missing or empty required field, by the body's top-level field. */
  missingFieldCodes?: Readonly<Record<string, ErrorCode>>
}

/** @throws ServiceError as `describeShapeError` gives it */
export function parseBody<Body>(
  { body, missingFieldCodes }: ParsedShape<Body>,
  json: unknown,
): Body {
  const parsed = body.safeParse(json)
  if (parsed.success) return parsed.data
  throw describeShapeError(parsed.error, json, missingFieldCodes)
}

/**
 * The error for a body of the wrong shape: `invalid_user` or `invalid_recipient` when a required field of that
 * object is absent or empty, `invalid_request` otherwise. The message names fields, never values.
 */
function describeShapeError(
  error: z.ZodError,
  body: unknown,
  codes: Readonly<Record<string, ErrorCode>> = {},
): ServiceError {
  const missing = error.issues.find(
    (issue) => codeOf(issue, codes) !== undefined && isEmpty(valueAt(body, issue.path)),
  )
  const code = (missing && codeOf(missing, codes)) ?? 'invalid_request'
  const lines = error.issues.slice(0, MAX_REPORTED_ISSUES).map((issue) => {
    return `${fieldName(issue.path)}: ${describeIssue(issue, valueAt(body, issue.path))}`
  })
  const more = error.issues.length - lines.length
  return new ServiceError(code, lines.join('; ') + (more > 0 ? `; and ${more} more` : ''))
}

function describeIssue(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'unrecognized_keys') {
    const [first = ''] = issue.keys
    const more = issue.keys.length - 1
    return `unknown field "${clip(first)}"${more > 0 ? ` and ${more} more` : ''}`
  }
  return isEmpty(value) ? 'required, and not empty' : clip(issue.message)
}

/** Names of fields come from the caller and can be megabytes long. */
function clip(text: string): string {
  return text.length <= MAX_QUOTED_CHARACTERS ? text : `${text.slice(0, MAX_QUOTED_CHARACTERS)}…`
}

function codeOf(
  issue: z.core.$ZodIssue,
  codes: Readonly<Record<string, ErrorCode>>,
): ErrorCode | undefined {
  // Only the object itself and its own fields are required; an empty entry of a list further down is not.
  return issue.path.length <= 2 ? codes[String(issue.path[0])] : undefined
}

function fieldName(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'body'
  return path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')
}

function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (value === null || typeof value !== 'object') return undefined
    return (value as Record<PropertyKey, unknown>)[key]
  }, body)
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string') return value.trim() === ''
  return Array.isArray(value) && value.length === 0
}
