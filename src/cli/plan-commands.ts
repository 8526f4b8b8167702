import type { Command } from 'commander'
import { formatRecord, formatRows, type Row } from './terminal.js'
import { requireOrganization, type RunAdmin } from './admin-session.js'
import { CAPABILITIES, ENVIRONMENTS } from '../organizations/capability.js'
import { setPlan } from '../organizations/organization.js'
import type { Plan } from '../metering/plans.js'

export function addPlanCommands(admin: Command, run: RunAdmin): void {
  const plan = admin
    .command('plan')
    .description('Show and assign plans, which are defined in the plans file.')
  plan
    .command('list')
    .description('List the monthly quotas and rate limits of all plans.')
    .option('--json', 'print JSON')
    .action((options: { json?: boolean }) =>
      run(async ({ plans }) => formatRows([...plans.values()].flatMap(planRows), options)),
    )
  plan
    .command('set')
    .description('Move an organisation to another plan, effective from its next request.')
    .argument('<organization>', 'id or name')
    .argument('<plan>')
    .option('--json', 'print JSON')
    .action((idOrName: string, planName: string, options: { json?: boolean }) =>
      run(async (session) => {
        const { id, name } = await requireOrganization(session.db, idOrName)
        await setPlan(session, { organizationId: id, plan: planName }, session.act)
        return formatRecord({ organization_id: id, name, plan: planName }, options)
      }),
    )
}

function planRows({ name, limits }: Plan): Row[] {
  return ENVIRONMENTS.flatMap((environment) =>
    CAPABILITIES.map((capability) => {
      const { hard_cap = null, ...rest } = limits[environment][capability]
      return { plan: name, environment, capability, ...rest, hard_cap }
    }),
  )
}
