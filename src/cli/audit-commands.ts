import type { Command } from 'commander'
import { OperatorError } from '../core/operator-error.js'
import type { ChainEnd } from '../organizations/audit-chain.js'
import { hasLink, verifyAuditLog } from '../organizations/verify-audit-log.js'
import { formatRecord, formatRows, isoTime, type Row } from './terminal.js'
import { parseCount, requireOrganization, type RunAdmin } from './admin-session.js'
import { listAudit, type AuditEntry } from '../organizations/audit-log.js'

interface ListOptions {
  org?: string
  limit: number
  json?: boolean
}

export function addAuditCommands(admin: Command, run: RunAdmin): void {
  const audit = admin
    .command('audit')
    .description('Show who changed what, and when, and verify the record.')
  audit
    .command('list')
    .description('List the latest changes, newest first.')
    .option('--org <organization>', 'only changes in this organisation (id or name)')
    .option('--limit <count>', 'maximum number of changes', parseCount, 50)
    .option('--json', 'print JSON')
    .action(({ org, limit, json }: ListOptions) =>
      run(async ({ db }) => {
        const organizationId =
          org === undefined ? undefined : (await requireOrganization(db, org)).id
        const entries = await listAudit(db, { organizationId, limit })
        return formatRows(entries.map(auditRow), { json })
      }),
    )
  addVerification(audit, run)
}

function addVerification(audit: Command, run: RunAdmin): void {
  audit
    .command('verify')
    .description(
      'Check that nobody changed, added or removed changes; exit code 1 if somebody did.',
    )
    .option('--head <head>', 'also check that the log still has this head, printed earlier')
    .option('--json', 'print JSON')
    .action(({ head, json }: { head?: string; json?: boolean }) =>
      run(async (session) => {
        const verdict = await verifyAuditLog(session)
        const { broken, entries, erased } = verdict
        if (broken) {
          throw new OperatorError(
            `The audit log was tampered with: entry ${broken.id}, ${broken.problem}. Compare it with a backup: npm run admin -- audit list`,
          )
        }
        if (head !== undefined && !(await hasLink(session.db, head))) {
          throw new OperatorError(
            'The audit log does not have this head any more: it was replaced by an earlier or another one, or retention has deleted the entry.',
          )
        }
        return formatRecord({ entries, erased, head: formatHead(verdict.head) }, { json })
      }),
    )
}

/** Such as `1042:9f86d0…`. */
function formatHead(head: ChainEnd | undefined): string | null {
  return head ? `${head.id}:${head.hash.toString('hex')}` : null
}

function auditRow(entry: AuditEntry): Row {
  return {
    at: isoTime(entry.at),
    actor: entry.actor,
    action: entry.action,
    organization_id: entry.organizationId,
    subject: entry.subject,
    details: JSON.stringify(entry.details),
  }
}
