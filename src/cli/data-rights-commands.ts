import path from 'node:path'
import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Config } from '../config/config.js'
import { OperatorError } from '../core/operator-error.js'
import { eraseEndUser } from '../data-rights/erase-end-user.js'
import { eraseOrganization } from '../data-rights/erase-organization.js'
import { exportOrganization } from '../data-rights/export-organization.js'
import { ENVIRONMENTS, type Environment } from '../organizations/capability.js'
import type { Organization } from '../organizations/organization.js'
import { requireOrganization, type RunAdmin } from './admin-session.js'
import { formatRecord, formatRows, type Terminal } from './terminal.js'

interface Tools {
  config: Pick<Config, 'dataDir' | 'postgres'>
  run: RunAdmin
  terminal: Terminal
}

/** Adds the commands that export and erase data of partners and their end users. */
export function addDataRightsCommands(admin: Command, tools: Tools): void {
  const org = admin.commands.find((command) => command.name() === 'org') ?? admin.command('org')
  addOrganizationExport(org, tools)
  addOrganizationDeletion(org, tools)
  addEndUserDeletion(admin.command('end-user').description("Manage a partner's end users."), tools)
}

function addOrganizationExport(org: Command, { run }: Tools): void {
  org
    .command('export')
    .description('Export all data of an organisation into a new folder, as JSON lines.')
    .argument('<organization>', 'id or name')
    .argument('<folder>', 'a new folder')
    .option('--json', 'print JSON')
    .action((idOrName: string, folder: string, options: { json?: boolean }) =>
      run(async ({ db, act }) => {
        const organization = await requireOrganization(db, idOrName)
        const target = { folder: path.resolve(folder), now: act.now }
        const files = await exportOrganization(db, organization, target)
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
    .description('Permanently delete an organisation and all its data; the server may be running.')
    .argument('<organization>', 'id or name')
    .option('--yes', 'do not ask for confirmation')
    .option('--json', 'print JSON')
    .action((idOrName: string, options: { yes?: boolean; json?: boolean }) =>
      run(async ({ db, secret, act }) => {
        const organization = await requireOrganization(db, idOrName)
        if (!options.yes) await confirm(organization, terminal)
        const { rows, remnants } = await eraseOrganization(
          { secret, place: config },
          organization.id,
          act,
        )
        return formatRecord({ organization_id: organization.id, rows, remains: remnants }, options)
      }),
    )
}

async function confirm({ name }: Organization, terminal: Terminal): Promise<void> {
  const typed = await terminal.ask?.(`This cannot be undone. To delete "${name}", type its name: `)
  if (typed !== name) {
    throw new OperatorError('Nothing was deleted: the names differ. Try again, or use --yes.')
  }
}

function addEndUserDeletion(endUser: Command, { config, run }: Tools): void {
  endUser
    .command('delete')
    .description('Delete an end user and their events, and recount the analytics without them.')
    .argument('<organization>', 'id or name')
    .argument('<hash>', 'SHA-256 that the partner sends as end_user_id', parseHash)
    .addOption(new Option('--env <env>', 'only in this environment').choices(ENVIRONMENTS))
    .option('--json', 'print JSON')
    .action((idOrName: string, hash: string, options: { env?: Environment; json?: boolean }) =>
      run(async ({ db, secret, act }) => {
        const { id: organizationId } = await requireOrganization(db, idOrName)
        const environments = options.env ? [options.env] : ENVIRONMENTS
        const endUser = { organizationId, environments, hash }
        const erased = await eraseEndUser({ db, secret, place: config }, endUser, act)
        return formatRows(
          erased.map((counts) => ({ ...counts })),
          options,
        )
      }),
    )
}

function parseHash(text: string): string {
  if (/^[0-9a-f]{64}$/i.test(text)) return text.toLowerCase()
  throw new InvalidArgumentError('It must be 64 hexadecimal digits.')
}
