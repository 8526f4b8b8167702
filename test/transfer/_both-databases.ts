import { sql } from 'kysely'
import { findInvitation } from '../../src/accounts/invitation.js'
import { listPasskeys } from '../../src/accounts/passkey.js'
import { findPasswordReset } from '../../src/accounts/password-reset.js'
import { findSession } from '../../src/accounts/session.js'
import { type Database } from '../../src/database/open-database.js'
import { replyRateByStyle } from '../../src/events/reply-rate-by-style.js'
import { weeklyReplyRate } from '../../src/events/weekly-reply-rate.js'
import { weeklyRetention } from '../../src/events/weekly-retention.js'
import { readLearningSettings } from '../../src/learning/read-settings.js'
import { authenticate } from '../../src/organizations/authenticate.js'
import { listKeys } from '../../src/organizations/list-keys.js'
import { quotaByCapability } from '../../src/usage/quota-report.js'
import { latencyOverTime, usageByCapability } from '../../src/usage/usage-report.js'
import { DAY, NOON } from '../organizations/_storage.js'
import type { Holdings, Installation } from './_installation.js'

/** What the portal, the API and people get to see. */
export async function describeInstallation(
  db: Database,
  installation: Holdings & Pick<Installation, 'secret' | 'plans'>,
) {
  const { organizationId, secret, plans, accountId } = installation
  const parts = { db, secret }
  const scope = { organizationId, environment: 'live' } as const
  const year = { ...scope, from: NOON - 366 * DAY, to: NOON + 1 }
  const caller = await authenticate(parts, `Bearer ${installation.apiKey}`, NOON)
  return {
    caller,
    keys: await listKeys(db, { organizationId, now: NOON }),
    session: await findSession(parts, installation.sessionToken, NOON),
    passkeys: await listPasskeys(db, accountId),
    reset: await findPasswordReset(parts, installation.resetToken, NOON),
    invitation: await findInvitation(parts, installation.invitationToken, NOON),
    quota: await quotaByCapability({ db, plans }, { ...scope, plan: caller.plan, now: NOON }),
    usage: await usageByCapability(db, { ...year, step: 'day' }),
    latency: await latencyOverTime(db, { ...year, step: 'day', capability: 'match.evaluate' }),
    styles: await replyRateByStyle(db, year),
    weeks: await weeklyReplyRate(db, year),
    retention: await weeklyRetention(db, { ...year, now: NOON, weeks: 53 }),
    learning: await readLearningSettings(db, scope),
  }
}

/** Databases that are closed after each test. */
const opened: Database[] = []

export async function open(opening: Promise<Database>): Promise<Database> {
  const db = await opening
  opened.push(db)
  return db
}

export async function closeOpened(): Promise<void> {
  await Promise.all(opened.splice(0).map((db) => db.destroy()))
}

/** What both databases show. */
export async function describeBoth(installation: Installation) {
  const source = await open(installation.openSource())
  const target = await open(installation.openTarget())
  return {
    source: await describeInstallation(source, installation),
    target: await describeInstallation(target, installation),
  }
}

export async function countRows(db: Database, table: string): Promise<number> {
  const { rows } = await sql<{ rows: number }>`
    select count(*) as rows from ${sql.table(table)}
  `.execute(db)
  return rows[0]!.rows
}
