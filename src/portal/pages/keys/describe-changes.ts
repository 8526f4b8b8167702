import type { Database } from '../../../database/open-database.js'
import type { AuditEntry } from '../../../organizations/audit-log.js'
import { formatMoment } from '../../components/moment.js'

/** An entry of the audit log in words. */
export interface DescribedChange {
  id: number
  at: number
  /** Who did it. */
  actor: string
  what: string
  /** What it was done to, where that has a page. */
  key: { keyId: string; name: string } | undefined
  /** What else there is to say. */
  note: string | undefined
}

/** Puts entries of one organisation's audit log into words. */
export async function describeChanges(
  db: Database,
  entries: readonly AuditEntry[],
): Promise<DescribedChange[]> {
  const emails = await readEmails(db, entries)
  const keyNames = await readKeyNames(db, entries)
  return entries.map((entry) => {
    const name = keyNames.get(entry.subject)
    return {
      id: entry.id,
      at: entry.at,
      actor: tellActor(entry.actor, emails),
      what: tellChange(entry),
      key: name === undefined ? undefined : { keyId: entry.subject, name },
      note: tellNote(entry),
    }
  })
}

const ACCOUNT_ACTOR = 'portal:'

async function readEmails(db: Database, entries: readonly AuditEntry[]) {
  const ids = entries
    .filter(({ actor }) => actor.startsWith(ACCOUNT_ACTOR))
    .map(({ actor }) => actor.slice(ACCOUNT_ACTOR.length))
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, email }) => [id, email]))
}

async function readKeyNames(db: Database, entries: readonly AuditEntry[]) {
  const subjects = entries
    .filter(({ action }) => action.startsWith('key.'))
    .map(({ subject }) => subject)
  const rows = await db
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(subjects)])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

function tellActor(actor: string, emails: ReadonlyMap<string, string>): string {
  if (actor.startsWith(ACCOUNT_ACTOR)) {
    return emails.get(actor.slice(ACCOUNT_ACTOR.length)) ?? 'a former account'
  }
  return actor.startsWith('cli:') ? `the operator (${actor.slice(4)})` : 'the service'
}

function tellChange({ action, details }: AuditEntry): string {
  switch (action) {
    case 'key.created':
      return `created the ${String(details.environment)} key`
    case 'key.rotated':
      return 'rotated'
    case 'key.grace_ended':
      return 'ended the old secret of'
    case 'key.revoked':
      return 'revoked'
    case 'organization.created':
      return 'created the organisation'
    case 'organization.plan_changed':
      return `moved the organisation from plan ${String(details.from)} to ${String(details.to)}`
    default:
      return action
  }
}

function tellNote({ action, details }: AuditEntry): string | undefined {
  if (action !== 'key.rotated') return undefined
  return `old secret until ${formatMoment(Number(details.grace_ends_at))}`
}
