import type { z } from 'zod'
import { ServiceError, type ErrorCode } from '../core/service-error.js'

export type MissingFieldCode = Extract<ErrorCode, 'invalid_user' | 'invalid_recipient'>

const MAX_PROBLEMS_TOLD = 5

/**
 * The error for a body of the wrong shape: `invalid_user` or `invalid_recipient` when a required field of that
 * object is absent or empty, `invalid_request` otherwise. The message names fields, never values.
 */
export function describeShapeProblem(
  error: z.ZodError,
  body: unknown,
  codes: Record<string, MissingFieldCode> = {},
): ServiceError {
  const missing = error.issues.find(
    (issue) => codeOf(issue, codes) !== undefined && isEmpty(valueAt(body, issue.path)),
  )
  const code = (missing && codeOf(missing, codes)) ?? 'invalid_request'
  const lines = error.issues.slice(0, MAX_PROBLEMS_TOLD).map((issue) => {
    const isMissing = isEmpty(valueAt(body, issue.path)) && issue.code !== 'unrecognized_keys'
    return `${fieldName(issue.path)}: ${isMissing ? 'required, and not empty' : issue.message}`
  })
  const more = error.issues.length - lines.length
  return new ServiceError(code, lines.join('; ') + (more > 0 ? `; and ${more} more` : ''))
}

function codeOf(
  issue: z.core.$ZodIssue,
  codes: Record<string, MissingFieldCode>,
): MissingFieldCode | undefined {
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
