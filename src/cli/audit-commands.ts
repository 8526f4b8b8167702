import type { Command } from 'commander'
import { formatRows, isoTime, type Row } from './terminal.js'
import { parseCount, requireOrganization, type RunAdmin } from './admin-session.js'
import { listAudit, type AuditEntry } from '../organizations/audit-log.js'

interface ListOptions {
  org?: string
  limit: number
  json?: boolean
}

export function addAuditCommands(admin: Command, run: RunAdmin): void {
  const audit = admin.command('audit').description('Show who changed what, and when.')
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
