import { listAudit } from '../../../organizations/audit-log.js'
import { findKey, listKeys } from '../../../organizations/list-keys.js'
import { notFound } from '../../refusal.js'
import { page, type RouteReply } from '../../reply.js'
import type { MemberVisit } from '../../visit.js'
import { AuditPage } from './audit-page.js'
import { describeChanges } from './describe-changes.js'
import { emptyKeyForm } from './key-form.js'
import { KeyPage } from './key-page.js'
import { KeysPage } from './keys-page.js'
import { NewKeyPage } from './new-key-page.js'

const LATEST_CHANGES = 5
const CHANGES_OF_A_KEY = 20
const CHANGES_PER_PAGE = 25

export async function showKeys(visit: MemberVisit): Promise<RouteReply> {
  const { db } = visit.services
  const { organizationId } = visit.session
  const keys = await listKeys(db, { organizationId, now: visit.now })
  const entries = await listAudit(db, { organizationId, limit: LATEST_CHANGES })
  const changes = await describeChanges(db, entries)
  return page(<KeysPage visit={visit} keys={keys} changes={changes} />)
}

export function showNewKey(visit: MemberVisit): RouteReply {
  return page(<NewKeyPage visit={visit} form={emptyKeyForm()} />)
}

/** Confirmations by the value of `?done=`. */
const DONE: Record<string, string> = {
  revoked: 'The key is revoked. Requests with it are refused from now on.',
  'old-secret-ended': 'The old secret has ended. Only the new one works.',
}

export async function showKey(visit: MemberVisit): Promise<RouteReply> {
  return keyPage(visit, { done: DONE[visit.query.get('done') ?? ''] })
}

/**
 * The current page of the key that the route names.
 * @param notice.problem - why a change was not made; the status is then 409
 */
export async function keyPage(
  visit: MemberVisit,
  notice: { done?: string | undefined; problem?: string },
): Promise<RouteReply> {
  const { db } = visit.services
  const { organizationId } = visit.session
  const keyId = visit.params.keyId ?? ''
  const summary = await findKey(db, { organizationId, keyId, now: visit.now })
  if (!summary) throw notFound()
  const entries = await listAudit(db, { organizationId, subject: keyId, limit: CHANGES_OF_A_KEY })
  const changes = await describeChanges(db, entries)
  const status = notice.problem === undefined ? 200 : 409
  return page(<KeyPage visit={visit} summary={summary} changes={changes} {...notice} />, status)
}

export async function showAudit(visit: MemberVisit): Promise<RouteReply> {
  const { db } = visit.services
  const before = readEntryId(visit.query.get('before'))
  const entries = await listAudit(db, {
    organizationId: visit.session.organizationId,
    beforeId: before,
    limit: CHANGES_PER_PAGE + 1,
  })
  const shown = entries.slice(0, CHANGES_PER_PAGE)
  return page(
    <AuditPage
      visit={visit}
      changes={await describeChanges(db, shown)}
      isFirst={before === undefined}
      nextBefore={entries.length > shown.length ? shown.at(-1)?.id : undefined}
    />,
  )
}

function readEntryId(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
