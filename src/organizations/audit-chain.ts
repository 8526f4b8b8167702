import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Database } from '../database/open-database.js'
import type { AuditLogTable } from '../database/schema.js'
import type { ServerSecret } from './server-secret.js'

/**
 * Each entry of the audit log has a link in a chain: a keyed hash of the entry and of the link before it. Whoever changes
 * the database without the server secret cannot compute links, so `verifyAuditLog` finds what they changed. A hash
 * without a key would not do: anybody could compute the chain again.
 *
 * Two ends are kept with a signature: `audit_head`, the newest link, so that cutting off the latest entries is found, and
 * `audit_anchor`, the link before the oldest entry that retention left.
 */
export interface AuditDeps {
  db: Database
  secret: ServerSecret
}

export type AuditRow = Selectable<AuditLogTable>

/** A place in the chain. */
export interface ChainEnd {
  /** Id of the entry; 0 before the first. */
  id: number
  hash: Buffer
}

type EndName = 'audit_head' | 'audit_anchor'

export const CHAIN_START: ChainEnd = { id: 0, hash: Buffer.alloc(32) }

export function hashEntry(secret: ServerSecret, row: AuditRow): Buffer {
  const { id, at, actor, action, organization_id, subject, details } = row
  return keyedHash(secret, ['entry', id, at, actor, action, organization_id, subject, details])
}

export function hashLink(secret: ServerSecret, previous: Buffer, entryHash: Buffer): Buffer {
  return keyedHash(secret, ['link', previous.toString('hex'), entryHash.toString('hex')])
}

/** Proves that this service erased the entry of a link. */
export function hashErasure(secret: ServerSecret, { id, hash }: ChainEnd): Buffer {
  return keyedHash(secret, ['erasure', id, hash.toString('hex')])
}

/** Adds the link of an entry that was just inserted, within the transaction `db`. */
export async function appendLink({ db, secret }: AuditDeps, row: AuditRow): Promise<void> {
  const last = await findLastLink(db)
  const head = await findEnd({ db, secret }, 'audit_head')
  const previous = last ?? (await findEnd({ db, secret }, 'audit_anchor')) ?? CHAIN_START
  const entryHash = hashEntry(secret, row)
  const hash = hashLink(secret, previous.hash, entryHash)
  await db
    .insertInto('audit_chain')
    .values({ id: row.id, entry_hash: entryHash, hash, erasure: null })
    .execute()
  // A head that does not fit stays as it is: it proves that something was changed.
  const fits = head ? head.hash.equals(previous.hash) : last === undefined
  if (fits) await writeEnd({ db, secret }, 'audit_head', { id: row.id, hash })
}

export async function findLastLink(db: Database): Promise<ChainEnd | undefined> {
  return db
    .selectFrom('audit_chain')
    .select(['id', 'hash'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** The stored end of the chain; undefined if there is none or its signature is wrong. */
export async function findEnd(
  { db, secret }: AuditDeps,
  name: EndName,
): Promise<ChainEnd | undefined> {
  const row = await db
    .selectFrom('service_metadata')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst()
  const [id = '', hash = '', signature = ''] = row?.value.toString().split(' ') ?? []
  const end = { id: Number(id), hash: Buffer.from(hash, 'hex') }
  const given = Buffer.from(signature, 'hex')
  const expected = signEnd(secret, name, end)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  return end
}

export async function writeEnd(
  { db, secret }: AuditDeps,
  name: EndName,
  end: ChainEnd,
): Promise<void> {
  const signature = signEnd(secret, name, end).toString('hex')
  const value = Buffer.from(`${end.id} ${end.hash.toString('hex')} ${signature}`)
  await db
    .insertInto('service_metadata')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

function signEnd(secret: ServerSecret, name: EndName, { id, hash }: ChainEnd): Buffer {
  return keyedHash(secret, [name, id, hash.toString('hex')])
}

function keyedHash(secret: ServerSecret, content: readonly (string | number)[]): Buffer {
  return createHmac('sha256', secret.subkey('audit-chain')).update(JSON.stringify(content)).digest()
}
