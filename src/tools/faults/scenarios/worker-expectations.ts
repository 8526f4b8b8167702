import type { Expectations } from '../expectations.js'
import { expectLiveness } from './storage-expectations.js'
import type { Observation } from './under-traffic.js'

const ALLOWED = new Set(['200', '503 model_unavailable', '503 overloaded'])

/** What holds whenever a worker cannot work: partners may try again, and nobody else is blamed. */
export function expectModelTrouble(check: Expectations, { summary }: Observation): void {
  const others = [...summary.outcomes.keys()].filter((outcome) => !ALLOWED.has(outcome))
  check.expect(others.length === 0, `partners also got ${others.join(', ')}`)
  check.expect(summary.withoutRetryAfter === 0, 'a 503 came without Retry-After')
  expectLiveness(check, summary)
}
