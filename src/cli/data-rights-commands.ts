import path from 'node:path'
import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Config } from '../config/config.js'
import { withErasingDatabase } from '../database/erasing-database.js'
import { OperatorError } from '../core/operator-error.js'
import { formatRecord, formatRows, type Terminal } from './terminal.js'
import { requireOrganization, type RunAdmin } from './admin-session.js'
import { recordAudit } from '../organizations/audit-log.js'
import { ENVIRONMENTS, type Environment } from '../organizations/capability.js'
import type { Organization } from '../organizations/organization.js'
import { deleteEndUser } from '../data-rights/delete-end-user.js'
import { deleteOrganization } from '../data-rights/delete-organization.js'
import { eraseRemains } from '../data-rights/erase-remains.js'
import { exportOrganization } from '../data-rights/export-organization.js'

interface Tools {
  config: Pick<Config, 'dataDir'>
  run: RunAdmin
  terminal: Terminal
}

/** Adds the commands for what partners and their users may ask: for their data, and that it goes. */
export function addDataRightsCommands(admin: Command, tools: Tools): void {
  const org = admin.commands.find((command) => command.name() === 'org') ?? admin.command('org')
  addExport(org, tools)
  addOrganizationDeletion(org, tools)
  addEndUserDeletion(admin.command('end-user').description('End users of a partner.'), tools)
}

function addExport(org: Command, { run }: Tools): void {
  org
    .command('export')
    .description('Write everything of an organisation into a new folder, as JSON lines.')
    .argument('<organization>', 'id or name')
    .argument('<folder>', 'must not exist yet')
    .option('--json', 'print JSON')
    .action((idOrName: string, folder: string, options: { json?: boolean }) =>
      run(async ({ db, act }) => {
        const organization = await requireOrganization(db, idOrName)
        const place = { folder: path.resolve(folder), now: act.now }
        const files = await exportOrganization(db, organization, place)
        return formatRows(
          files.map(({ name, rows }) => ({ file: name, rows })),
          options,
        )
      }),
    )
}

function addOrganizationDeletion(org: Command, { config, run, terminal }: Tools): void {
  org
    .command('delete')
    .description('Delete an organisation with everything of it, for good; the server may run.')
    .argument('<organization>', 'id or name')
    .option('--yes', 'do not ask for the name')
    .option('--json', 'print JSON')
    .action((idOrName: string, options: { yes?: boolean; json?: boolean }) =>
      run(async ({ db, act }) => {
        const organization = await requireOrganization(db, idOrName)
        if (!options.yes) await confirm(organization, terminal)
        const organizationId = organization.id
        return withErasingDatabase(config.dataDir, async (erasing) => {
          const deleted = await deleteOrganization(erasing, organizationId, act.now)
          const rows = Object.values(deleted).reduce((sum, count) => sum + count, 0)
          // Who deleted what and when is all that stays, by an identifier that says nothing.
          const event = { action: 'organization.deleted' as const, details: { rows } }
          await recordAudit(db, { ...event, organizationId, subject: organizationId }, act)
          const remains = await eraseRemains(erasing, config.dataDir)
          return formatRecord({ organization_id: organizationId, rows, remains }, options)
        })
      }),
    )
}

async function confirm({ name }: Organization, terminal: Terminal): Promise<void> {
  const typed = await terminal.ask?.(`This cannot be undone. Type the name to delete "${name}": `)
  if (typed !== name) {
    throw new OperatorError('Nothing was deleted: the name is another one. Or give --yes.')
  }
}

function addEndUserDeletion(endUser: Command, { config, run }: Tools): void {
  endUser
    .command('delete')
    .description('Delete an end user with its events, and count the analytics without them.')
    .argument('<organization>', 'id or name')
    .argument('<hash>', 'SHA-256 that the partner sends as end_user_id', parseHash)
    .addOption(new Option('--env <env>', 'only in this environment').choices(ENVIRONMENTS))
    .option('--json', 'print JSON')
    .action((idOrName: string, hash: string, options: { env?: Environment; json?: boolean }) =>
      run(async ({ db, act }) => {
        const { id: organizationId } = await requireOrganization(db, idOrName)
        const environments = options.env ? [options.env] : ENVIRONMENTS
        return withErasingDatabase(config.dataDir, async (erasing) => {
          const rows = []
          for (const environment of environments) {
            const deleted = await deleteEndUser(erasing, { organizationId, environment }, hash)
            if (!deleted) continue
            rows.push({ environment, ...deleted })
            const event = { action: 'end_user.deleted' as const, details: { environment } }
            await recordAudit(db, { ...event, organizationId, subject: organizationId }, act)
          }
          if (rows.length === 0) throw new OperatorError('There is no such end user.')
          await eraseRemains(erasing, config.dataDir)
          return formatRows(rows, options)
        })
      }),
    )
}

function parseHash(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  throw new InvalidArgumentError('It must be 64 hexadecimal digits.')
}
