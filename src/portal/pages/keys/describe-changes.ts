import type { Database } from '../../../database/open-database.js'
import type { AuditEntry } from '../../../organizations/audit-log.js'
import { formatAuditEntry, formatAuditNote } from './format-audit-entry.js'

/** An audit log entry in words. */
export interface DescribedChange {
  id: number
  at: number
  /** Sign-in name of the member, or `the operator (…)`. */
  actor: string
  what: string
  /** The key that was changed. */
  key: { keyId: string; name: string } | undefined
  /** Further detail, such as until when an old secret works. */
  note: string | undefined
}

const ACCOUNT_ACTOR = 'portal:'
const NO_ACCOUNT = 'a former member'

/** Describes audit log entries of one organisation in words. */
export async function describeChanges(
  db: Database,
  entries: readonly AuditEntry[],
): Promise<DescribedChange[]> {
  // PostgreSQL knows no empty list.
  if (entries.length === 0) return []
  const names = await readAccountNames(db, entries)
  const keyNames = await readKeyNames(db, entries)
  return entries.map((entry) => {
    const name = keyNames.get(entry.subject)
    return {
      id: entry.id,
      at: entry.at,
      actor: formatActor(entry.actor, names),
      what: formatAuditEntry(entry, names.get(entry.subject) ?? NO_ACCOUNT),
      key: name === undefined ? undefined : { keyId: entry.subject, name },
      note: formatAuditNote(entry),
    }
  })
}

/** Sign-in names by account id, of both the actors and the accounts that were changed. */
async function readAccountNames(db: Database, entries: readonly AuditEntry[]) {
  const ids = entries.flatMap(({ actor, subject }) => [accountIdOf(actor) ?? '', subject])
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'sign_in_name'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map((row) => [row.id, row.sign_in_name]))
}

async function readKeyNames(db: Database, entries: readonly AuditEntry[]) {
  const rows = await db
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(entries.map(({ subject }) => subject))])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

function formatActor(actor: string, names: ReadonlyMap<string, string>): string {
  const accountId = accountIdOf(actor)
  if (accountId !== undefined) return names.get(accountId) ?? NO_ACCOUNT
  return actor.startsWith('cli:') ? `the operator (${actor.slice('cli:'.length)})` : 'the service'
}

function accountIdOf(actor: string): string | undefined {
  return actor.startsWith(ACCOUNT_ACTOR) ? actor.slice(ACCOUNT_ACTOR.length) : undefined
}
