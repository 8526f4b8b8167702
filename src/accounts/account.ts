import { z } from 'zod'
import type { Database } from '../database/open-database.js'

const MAX_EMAIL_LENGTH = 254
const emailSchema = z.email().max(MAX_EMAIL_LENGTH)

export interface Account {
  id: string
  /** What the account signs in with: its verified address, or a name that no rule treats as an address. */
  signInName: string
  /** The verified e-mail address, in lower case. */
  email: string | null
  passwordHash: string | null
}

/** The e-mail address as it is stored, in lower case; undefined if it is not valid. */
export function parseEmail(text: string | null): string | undefined {
  const parsed = emailSchema.safeParse(text?.trim().toLowerCase())
  return parsed.success ? parsed.data : undefined
}

/** Finds an account by what a person enters to sign in: its sign-in name or its verified address, in lower case. */
export async function findAccountBySignInName(
  db: Database,
  name: string,
): Promise<Account | undefined> {
  const row = await db
    .selectFrom('accounts')
    .select(['id', 'sign_in_name', 'email', 'password_hash'])
    .where((where) => where.or([where('sign_in_name', '=', name), where('email', '=', name)]))
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      signInName: row.sign_in_name,
      email: row.email,
      passwordHash: row.password_hash,
    }
  )
}

export async function insertAccount(db: Database, account: Account, now: number): Promise<void> {
  await db
    .insertInto('accounts')
    .values({
      id: account.id,
      sign_in_name: account.signInName,
      email: account.email,
      password_hash: account.passwordHash,
      created_at: now,
      last_sign_in_at: now,
    })
    .execute()
}

export async function setPasswordHash(
  db: Database,
  accountId: string,
  passwordHash: string,
): Promise<void> {
  await db
    .updateTable('accounts')
    .set({ password_hash: passwordHash })
    .where('id', '=', accountId)
    .execute()
}

export async function hasAnyAccount(db: Database): Promise<boolean> {
  const any = await db.selectFrom('accounts').select('id').limit(1).executeTakeFirst()
  return any !== undefined
}

/** The organisation that an account is signed in to by default: the one it joined first. */
export async function findHomeOrganization(
  db: Database,
  accountId: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('memberships')
    .select('organization_id')
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('organization_id')
    .executeTakeFirst()
  return row?.organization_id
}
