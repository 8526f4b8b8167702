import type { Database } from '../../../database/open-database.js'
import type { AuditEntry } from '../../../organizations/audit-log.js'
import { tellChange, tellNote } from './tell-change.js'

/** An entry of the audit log in words. */
export interface DescribedChange {
  id: number
  at: number
  /** Who did it. */
  actor: string
  what: string
  /** The key it was done to. */
  key: { keyId: string; name: string } | undefined
  /** What else there is to say. */
  note: string | undefined
}

const ACCOUNT_ACTOR = 'portal:'
const NO_ACCOUNT = 'a former member'

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
      what: tellChange(entry, emails.get(entry.subject) ?? NO_ACCOUNT),
      key: name === undefined ? undefined : { keyId: entry.subject, name },
      note: tellNote(entry),
    }
  })
}

/** E-mail addresses by account, of those who did something and those it was done to. */
async function readEmails(db: Database, entries: readonly AuditEntry[]) {
  const ids = entries.flatMap(({ actor, subject }) => [accountIdOf(actor) ?? '', subject])
  const rows = await db
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, email }) => [id, email]))
}

async function readKeyNames(db: Database, entries: readonly AuditEntry[]) {
  const rows = await db
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('id', 'in', [...new Set(entries.map(({ subject }) => subject))])
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

function tellActor(actor: string, emails: ReadonlyMap<string, string>): string {
  const accountId = accountIdOf(actor)
  if (accountId !== undefined) return emails.get(accountId) ?? NO_ACCOUNT
  return actor.startsWith('cli:') ? `the operator (${actor.slice('cli:'.length)})` : 'the service'
}

function accountIdOf(actor: string): string | undefined {
  return actor.startsWith(ACCOUNT_ACTOR) ? actor.slice(ACCOUNT_ACTOR.length) : undefined
}
