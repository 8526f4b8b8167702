import type { Command } from 'commander'
import { formatRecord, formatRows, isoTime, type Row } from './terminal.js'
import type { RunAdmin } from './admin-session.js'
import {
  createOrganization,
  listOrganizations,
  type Organization,
} from '../organizations/organization.js'

export function addOrganizationCommands(admin: Command, run: RunAdmin): void {
  const org = admin.command('org').description('Manage organisations.')
  org
    .command('create')
    .description('Create an organisation.')
    .argument('<name>')
    .option('--plan <plan>', 'name of the plan; default: the first in the plans file')
    .option('--json', 'print JSON')
    .action((name: string, options: { plan?: string; json?: boolean }) =>
      run(async (session) => {
        const [firstPlan = ''] = session.plans.keys()
        const input = { name, plan: options.plan ?? firstPlan }
        const organization = await createOrganization(session, input, session.act)
        return formatRecord(organizationRow(organization), options)
      }),
    )
  org
    .command('list')
    .description('List all organisations.')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      run(async ({ db }) =>
        formatRows((await listOrganizations(db)).map(organizationRow), options),
      ),
    )
}

function organizationRow({ id, name, plan, createdAt }: Organization): Row {
  return { organization_id: id, name, plan, created_at: isoTime(createdAt) }
}
