import type { ServiceProcess } from '../environment/service-process.js'
import { auditLedger, countLost, describeAudit } from '../ledger/audit-ledger.js'
import type { Ledger } from '../ledger/ledger.js'
import type { OutcomeRow } from '../scenario.js'

/** What a scenario says about a fault itself; the ledger adds the rest. */
export type FaultStory = Omit<OutcomeRow, 'acknowledged' | 'lost'>

/** Compares the ledger with the recovered service, and completes the row. */
export async function completeRow(
  service: ServiceProcess,
  ledger: Ledger,
  story: FaultStory,
): Promise<OutcomeRow> {
  const audit = await auditLedger(service, ledger)
  return {
    ...story,
    acknowledged: ledger.countAcknowledged(),
    lost: countLost(audit),
    deviations: [...story.deviations, ...describeAudit(audit)],
  }
}
