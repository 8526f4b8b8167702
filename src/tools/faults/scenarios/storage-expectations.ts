import type { Expectations } from '../expectations.js'
import type { TrafficSummary } from '../ledger/traffic.js'
import type { Observation } from './under-traffic.js'

const REFUSAL = '503 storage_unavailable'
const ALLOWED = new Set(['200', REFUSAL])
/** Far above what a loaded machine of two cores takes; a blocked event loop takes seconds. */
const HEALTH_LIMIT_MS = 1_000
const MAX_LINES_OF_A_KIND = 5

/** What holds whenever the database cannot be used. */
export function expectStorageTrouble(
  check: Expectations,
  { summary, problems }: Observation,
): void {
  const others = [...summary.outcomes.keys()].filter((outcome) => !ALLOWED.has(outcome))
  check.expect(summary.count(REFUSAL) > 0, 'no call was refused with storage_unavailable')
  check.expect(others.length === 0, `partners also got ${others.join(', ')}`)
  check.expect(summary.withoutRetryAfter === 0, 'a 503 came without Retry-After')
  check.expect(summary.readiness.has(503), '/readyz stayed 200')
  expectLiveness(check, summary)
  check.expect(problems.size > 0, 'nothing was logged')
  const most = Math.max(0, ...problems.values())
  check.expect(most <= MAX_LINES_OF_A_KIND, `one message was logged ${most} times`)
}

/** The liveness probe is answered quickly, whatever else is wrong. */
export function expectLiveness(check: Expectations, summary: TrafficSummary): void {
  const slowest = Math.round(summary.slowestHealthMs)
  check.expect(summary.failedHealth === 0, `/healthz failed ${summary.failedHealth} times`)
  check.expect(slowest < HEALTH_LIMIT_MS, `/healthz took ${slowest} ms`)
}

/** A full or read-only disk must not make the operator overwrite sound data. */
export function expectDiagnosis(
  check: Expectations,
  diagnoses: readonly string[],
  expected: RegExp,
): void {
  const text = diagnoses.join('; ')
  check.expect(
    expected.test(text),
    `doctor does not name the cause: ${text || 'all checks passed'}`,
  )
}

/** Causes that a full or read-only disk does not have. "Nothing is damaged" is right. */
export const WRONG_CAUSE = /(?<!Nothing )is damaged|Another server|newer version/

/** A message for the operator: no stack, nothing misleading. */
export function expectOperatorMessage(
  check: Expectations,
  message: string,
  expected: RegExp,
): void {
  check.expect(!/\n\s+at /.test(message), 'the start ends with a raw stack')
  check.expect(expected.test(message), 'the message does not name the cause')
}
