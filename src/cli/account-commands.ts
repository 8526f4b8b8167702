import { Option, type Command } from 'commander'
import type { Config } from '../config/config.js'
import { configuredUrl } from '../config/configured-url.js'
import { AdminError } from '../core/admin-error.js'
import { formatRecord, formatRows, isoTime, type Row } from './terminal.js'
import { requireOrganization, type RunAdmin } from './admin-session.js'
import type { Database } from '../database/open-database.js'
import { findAccountBySignInName, parseEmail } from '../accounts/account.js'
import { createInvitation } from '../accounts/invitation.js'
import { changeRole, listMembers, removeMember, type MemberSummary } from '../accounts/members.js'
import { createPasswordReset } from '../accounts/password-reset.js'
import { ROLES, type Role } from '../accounts/role.js'
import { secretLink } from '../accounts/secret-link.js'
import { parseSignInName } from '../accounts/sign-in-name.js'

interface OutputOptions {
  json?: boolean
}

const roleOption = () =>
  new Option('--role <role>', 'role of the member').choices(ROLES).makeOptionMandatory()

export function addAccountCommands(
  admin: Command,
  run: RunAdmin,
  config: Pick<Config, 'publicUrl' | 'host' | 'port'>,
): void {
  const accounts = admin.command('account').description('Manage who may sign in to the portal.')
  accounts
    .command('invite')
    .description('Print an invitation link for a new member; it works once, for 72 hours.')
    .requiredOption('--organization <organization>', 'id or name')
    .addOption(roleOption())
    .option(
      '--email <address>',
      'only valid for this address, which counts as verified: give the link to its owner only; default: anyone with the link',
    )
    .option('--json', 'print JSON')
    .action((options: OutputOptions & { organization: string; role: Role; email?: string }) =>
      run(async (session) => {
        const { id, name } = await requireOrganization(session.db, options.organization)
        const email = options.email === undefined ? undefined : requireEmail(options.email)
        const invitation = { organizationId: id, role: options.role, email }
        const { token, expiresAt } = await createInvitation(session, invitation, session.act)
        const link = secretLink(configuredUrl(config), '/portal/invitation', token)
        const record = { organization: name, role: options.role, expires_at: isoTime(expiresAt) }
        return formatRecord({ link, ...record }, options)
      }),
    )
  accounts
    .command('list')
    .description('List the members of an organisation.')
    .argument('<organization>', 'id or name')
    .option('--json', 'print JSON')
    .action((idOrName: string, options: OutputOptions) =>
      run(async ({ db }) => {
        const { id } = await requireOrganization(db, idOrName)
        return formatRows((await listMembers(db, id)).map(memberRow), options)
      }),
    )
  accounts
    .command('role')
    .description("Change a member's role and sign them out.")
    .argument('<account>', 'sign-in name or e-mail address')
    .requiredOption('--organization <organization>', 'id or name')
    .addOption(roleOption())
    .action((account: string, options: { organization: string; role: Role }) =>
      run(async (session) => {
        const { db, act } = session
        const { id, name } = await requireOrganization(db, options.organization)
        const { id: accountId } = await requireAccount(db, account)
        await changeRole(session, { organizationId: id, accountId, role: options.role }, act)
        return `${account} is now ${options.role} of ${name}.\n`
      }),
    )
  accounts
    .command('remove')
    .description('Remove a member from an organisation and sign them out.')
    .argument('<account>', 'sign-in name or e-mail address')
    .requiredOption('--organization <organization>', 'id or name')
    .action((account: string, options: { organization: string }) =>
      run(async (session) => {
        const { db, act } = session
        const { id, name } = await requireOrganization(db, options.organization)
        const { id: accountId } = await requireAccount(db, account)
        await removeMember(session, { organizationId: id, accountId }, act)
        return `${account} is no longer a member of ${name}.\n`
      }),
    )
  accounts
    .command('reset')
    .description('Print a password reset link; it works once, for 24 hours.')
    .argument('<account>', 'sign-in name or e-mail address')
    .option('--json', 'print JSON')
    .action((name: string, options: OutputOptions) =>
      run(async (session) => {
        const { db, act } = session
        const { id } = await requireAccount(db, name)
        const { token, expiresAt } = await createPasswordReset(session, id, act)
        const link = secretLink(configuredUrl(config), '/portal/reset', token)
        return formatRecord({ link, expires_at: isoTime(expiresAt) }, options)
      }),
    )
}

function requireEmail(text: string): string {
  const email = parseEmail(text)
  if (email === undefined) throw new AdminError('invalid', 'That is not a valid e-mail address.')
  return email
}

async function requireAccount(db: Database, text: string) {
  const name = parseSignInName(text)
  const account = name === undefined ? undefined : await findAccountBySignInName(db, name)
  if (account) return account
  throw new AdminError(
    'not_found',
    'There is no such account. `account list` shows the members of an organisation.',
  )
}

function memberRow(member: MemberSummary): Row {
  return {
    sign_in_name: member.signInName,
    email: member.email,
    role: member.role,
    account_id: member.accountId,
    joined_at: isoTime(member.joinedAt),
    last_sign_in_at: isoTime(member.lastSignInAt),
  }
}
