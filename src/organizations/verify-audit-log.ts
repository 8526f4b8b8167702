import { sql } from 'kysely'
import { isPostgres } from '../database/dialect.js'
import type { Database } from '../database/open-database.js'
import {
  CHAIN_START,
  findEnd,
  hashEntry,
  hashErasure,
  hashLink,
  type AuditDeps,
  type ChainEnd,
} from './audit-chain.js'

const PAGE_ROWS = 1_000

export interface AuditVerdict {
  /** Entries whose content was verified. */
  entries: number
  /** Entries that were erased with their organisation. */
  erased: number
  /** The newest link, to be kept elsewhere; undefined before the first entry. */
  head: ChainEnd | undefined
  /** The first place where the log is not as the service wrote it. */
  broken: { id: number; problem: string } | undefined
}

/** Verifies the chain of the audit log on one snapshot of the database. */
export async function verifyAuditLog({ db, secret }: AuditDeps): Promise<AuditVerdict> {
  return db.connection().execute(async (connection) => {
    // A Kysely transaction would take the write lock of SQLite; reading needs none.
    await (
      isPostgres(db) ? sql`begin isolation level repeatable read, read only` : sql`begin`
    ).execute(connection)
    try {
      return await verifySnapshot({ db: connection, secret })
    } finally {
      await sql`rollback`.execute(connection)
    }
  })
}

/** Whether the chain has the link `ID:HASH`, as `audit verify` printed it. */
export async function hasLink(db: Database, text: string): Promise<boolean> {
  const [id, hash = ''] = text.split(':')
  const row = await db
    .selectFrom('audit_chain')
    .select('hash')
    .where('id', '=', Number(id))
    .executeTakeFirst()
  return row?.hash.toString('hex') === hash.toLowerCase()
}

async function verifySnapshot(deps: AuditDeps): Promise<AuditVerdict> {
  const head = await findEnd(deps, 'audit_head')
  const verdict: AuditVerdict = { entries: 0, erased: 0, head, broken: undefined }
  let previous = (await findEnd(deps, 'audit_anchor')) ?? CHAIN_START
  let passedHead = head === undefined || head.hash.equals(previous.hash)
  for await (const link of readLinks(deps.db)) {
    const problem = findProblem(deps, link, previous)
    if (problem) return { ...verdict, broken: { id: link.id, problem } }
    if (link.at === null) verdict.erased += 1
    else verdict.entries += 1
    previous = link
    passedHead ||= head?.hash.equals(link.hash) === true
  }
  return { ...verdict, broken: await findOutside(deps.db, { head, last: previous, passedHead }) }
}

type Link = Awaited<ReturnType<typeof readPage>>[number]

/** What is wrong with a link or its entry. */
function findProblem({ secret }: AuditDeps, link: Link, previous: ChainEnd): string | undefined {
  const { at, actor, action, organization_id, subject, details, ...chained } = link
  if (!hashLink(secret, previous.hash, link.entry_hash).equals(link.hash)) {
    return 'entries before it were removed or changed'
  }
  if (at === null) {
    const isErased = link.erasure?.equals(hashErasure(secret, link))
    return isErased ? undefined : 'it was deleted'
  }
  const row = {
    id: chained.id,
    at,
    actor: actor!,
    action: action!,
    organization_id: organization_id!,
    subject: subject!,
    details: details!,
  }
  return hashEntry(secret, row).equals(link.entry_hash) ? undefined : 'it was changed'
}

interface Ends {
  head: ChainEnd | undefined
  last: ChainEnd
  passedHead: boolean
}

/** What does not fit the chain as a whole: entries without a link, and a head that is not the last link. */
async function findOutside(
  db: Database,
  { head, last, passedHead }: Ends,
): Promise<AuditVerdict['broken']> {
  const unchained = await db
    .selectFrom('audit_log')
    .select('id')
    .where('id', 'not in', (select) => select.selectFrom('audit_chain').select('id'))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (unchained) return { id: unchained.id, problem: 'it was added by something else' }
  if (head === undefined) {
    return last.id === 0 ? undefined : { id: last.id, problem: 'the record of the end is missing' }
  }
  if (!passedHead) return { id: head.id, problem: 'the entries up to it were cut off' }
  if (head.hash.equals(last.hash)) return undefined
  return { id: last.id, problem: 'it does not follow the recorded end' }
}

async function* readLinks(db: Database) {
  let after = 0
  for (;;) {
    const page = await readPage(db, after)
    yield* page
    const last = page.at(-1)
    if (!last || page.length < PAGE_ROWS) return
    after = last.id
  }
}

function readPage(db: Database, after: number) {
  return db
    .selectFrom('audit_chain')
    .leftJoin('audit_log', 'audit_log.id', 'audit_chain.id')
    .select([
      'audit_chain.id',
      'audit_chain.entry_hash',
      'audit_chain.hash',
      'audit_chain.erasure',
      'audit_log.at',
      'audit_log.actor',
      'audit_log.action',
      'audit_log.organization_id',
      'audit_log.subject',
      'audit_log.details',
    ])
    .where('audit_chain.id', '>', after)
    .orderBy('audit_chain.id')
    .limit(PAGE_ROWS)
    .execute()
}
