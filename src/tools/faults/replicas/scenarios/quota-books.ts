import type { Expectations } from '../../expectations.js'
import type { ReplicaFleet } from '../environment/replica-fleet.js'
import type { KeyedCall } from '../partners/keyed-call.js'
import type { PartnerBackend } from '../partners/partner-backend.js'

const AT_ONCE = 16

/** What partners know and what the database says, once nothing runs any more. */
export interface Books {
  /** Distinct keys that got 200. */
  answered: number
  /** Keys without an outcome. */
  unsettled: number
  /** Answered keys whose answer is another one, or none, when they are sent once more. */
  changedReplays: number
  /** Calls of the month that count as used. */
  used: number
  /** Permits that are still lent. */
  leases: number
  /** Calls stored. */
  stored: number
  /** Idempotency records with an answer. */
  answers: number
  deadlocks: number
}

export async function readBooks(
  fleet: ReplicaFleet,
  partner: PartnerBackend,
  calls: readonly KeyedCall[],
): Promise<Books> {
  const answered = calls.filter(({ outcome }) => outcome === 'answered')
  const changedReplays = await countChangedReplays(partner, answered)
  const counts = await fleet.queryOne<Record<'used' | 'leases' | 'stored' | 'answers', number>>(`
    select
      cast((select coalesce(sum(admitted), 0) from quota_usage) - (select count(*) from quota_leases) as int) as used,
      cast((select count(*) from quota_leases) as int) as leases,
      cast((select count(*) from service_calls) as int) as stored,
      cast((select count(*) from idempotency_records where answer is not null) as int) as answers`)
  return {
    ...counts,
    answered: answered.length,
    unsettled: calls.filter(({ outcome }) => outcome === undefined).length,
    changedReplays,
    deadlocks: fleet.postgres.countDeadlocks(),
  }
}

/** Sends answered calls once more. */
async function countChangedReplays(
  partner: PartnerBackend,
  answered: readonly KeyedCall[],
): Promise<number> {
  let changed = 0
  let next = 0
  const work = async () => {
    for (let index = next++; index < answered.length; index = next++) {
      const call = answered[index]!
      const isSame = await partner.ask(call).then(
        (answer) => answer === call.answer,
        () => false,
      )
      if (!isSame) changed++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return changed
}

/** Nothing is above the cap, and everybody has the same number. */
export function expectExactBooks(check: Expectations, books: Books, cap: number): void {
  const { answered, used, stored, answers, leases } = books
  check.expect(answered <= cap, `${answered} keys got 200 at a cap of ${cap}`)
  check.expect(answered >= cap, `only ${answered} keys got 200, so the cap was never reached`)
  check.expect(used === answered, `${used} calls count as used, ${answered} keys got 200`)
  check.expect(stored === answered, `${stored} calls are stored, ${answered} keys got 200`)
  check.expect(answers === answered, `${answers} answers are stored, ${answered} keys got 200`)
  check.expect(leases === 0, `${leases} permits are still lent`)
  check.expect(books.unsettled === 0, `${books.unsettled} keys got no answer after the faults`)
  check.expect(books.deadlocks === 0, `PostgreSQL found ${books.deadlocks} deadlocks`)
}

/** One line for the table. */
export function describeBooks({ used, stored, answers, leases, deadlocks }: Books): string {
  return `used ${used}, calls stored ${stored}, answers stored ${answers}, leases ${leases}, deadlocks ${deadlocks}`
}
