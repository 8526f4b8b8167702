import { Option, type Command } from 'commander'
import type { Config } from '../config/config.js'
import { AdminError } from '../core/admin-error.js'
import { formatRecord, formatRows, isoTime, type Row } from './terminal.js'
import { requireOrganization, type RunAdmin } from './admin-session.js'
import type { Database } from '../database/open-database.js'
import { configuredUrl } from '../portal/public-url.js'
import { findAccountByEmail, parseEmail } from '../accounts/account.js'
import { createInvitation } from '../accounts/invitation.js'
import { changeRole, listMembers, removeMember, type MemberSummary } from '../accounts/members.js'
import { createPasswordReset } from '../accounts/password-reset.js'
import { ROLES, type Role } from '../accounts/role.js'

interface Output {
  json?: boolean
}

const roleOption = () =>
  new Option('--role <role>', 'what they may do').choices(ROLES).makeOptionMandatory()

/** People who may sign in to the portal. */
export function addAccountCommands(
  admin: Command,
  run: RunAdmin,
  config: Pick<Config, 'publicUrl' | 'host' | 'port'>,
): void {
  const account = admin.command('account').description('People who may sign in to the portal.')
  account
    .command('invite')
    .description('Print a link that makes somebody a member; it works once, within 72 hours.')
    .requiredOption('--organization <organization>', 'id or name')
    .addOption(roleOption())
    .option('--email <address>', 'only for this address; if not given, for whoever has the link')
    .option('--json', 'print JSON')
    .action((options: Output & { organization: string; role: Role; email?: string }) =>
      run(async (session) => {
        const { id, name } = await requireOrganization(session.db, options.organization)
        const email = options.email === undefined ? undefined : requireEmail(options.email)
        const invitation = { organizationId: id, role: options.role, email }
        const { token, expiresAt } = await createInvitation(session, invitation, session.act)
        const link = `${configuredUrl(config)}/portal/invitation/${token}`
        const record = { organization: name, role: options.role, expires_at: isoTime(expiresAt) }
        return formatRecord({ link, ...record }, options)
      }),
    )
  account
    .command('list')
    .description('List the members of an organisation.')
    .argument('<organization>', 'id or name')
    .option('--json', 'print JSON')
    .action((idOrName: string, options: Output) =>
      run(async ({ db }) => {
        const { id } = await requireOrganization(db, idOrName)
        return formatRows((await listMembers(db, id)).map(memberRow), options)
      }),
    )
  account
    .command('role')
    .description('Give a member another role; they are signed out.')
    .argument('<email>')
    .requiredOption('--organization <organization>', 'id or name')
    .addOption(roleOption())
    .action((email: string, options: { organization: string; role: Role }) =>
      run(async ({ db, act }) => {
        const { id, name } = await requireOrganization(db, options.organization)
        const { id: accountId } = await requireAccount(db, email)
        await changeRole(db, { organizationId: id, accountId, role: options.role }, act)
        return `${email} is ${options.role} of ${name} now.\n`
      }),
    )
  account
    .command('remove')
    .description('Take a member out of an organisation; they are signed out at once.')
    .argument('<email>')
    .requiredOption('--organization <organization>', 'id or name')
    .action((email: string, options: { organization: string }) =>
      run(async ({ db, act }) => {
        const { id, name } = await requireOrganization(db, options.organization)
        const { id: accountId } = await requireAccount(db, email)
        await removeMember(db, { organizationId: id, accountId }, act)
        return `${email} is not a member of ${name} any more.\n`
      }),
    )
  account
    .command('reset')
    .description('Print a link for a new password; it works once, within 24 hours.')
    .argument('<email>')
    .option('--json', 'print JSON')
    .action((email: string, options: Output) =>
      run(async (session) => {
        const { db, act } = session
        const { id } = await requireAccount(db, email)
        const { token, expiresAt } = await createPasswordReset(session, id, act)
        const link = `${configuredUrl(config)}/portal/reset/${token}`
        return formatRecord({ link, expires_at: isoTime(expiresAt) }, options)
      }),
    )
}

function requireEmail(text: string): string {
  const email = parseEmail(text)
  if (email === undefined) throw new AdminError('invalid', 'This is not an e-mail address.')
  return email
}

async function requireAccount(db: Database, text: string) {
  const account = await findAccountByEmail(db, requireEmail(text))
  if (account) return account
  throw new AdminError(
    'not_found',
    'There is no such account. `account list` shows all of an organisation.',
  )
}

function memberRow(member: MemberSummary): Row {
  return {
    email: member.email,
    role: member.role,
    account_id: member.accountId,
    joined_at: isoTime(member.joinedAt),
    last_sign_in_at: isoTime(member.lastSignInAt),
  }
}
