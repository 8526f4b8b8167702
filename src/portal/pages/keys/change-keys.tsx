import { AdminError } from '../../../core/admin-error.js'
import { createKey, revokeKey, type IssuedKey } from '../../../organizations/api-key.js'
import { listAudit, type AuditAction } from '../../../organizations/audit-log.js'
import { findKey } from '../../../organizations/list-keys.js'
import { endGrace, rotateKey } from '../../../organizations/rotate-key.js'
import { notFound } from '../../refusal.js'
import { page, redirect, type RouteReply } from '../../reply.js'
import type { MemberVisit } from '../../visit.js'
import { describeChanges } from './describe-changes.js'
import { expiryOf, readKeyForm } from './key-form.js'
import { NewKeyPage } from './new-key-page.js'
import { SecretPage } from './secret-page.js'
import { keyPage } from './show-keys.js'

export async function createKeyByForm(visit: MemberVisit): Promise<RouteReply> {
  const form = readKeyForm(visit.form)
  const { keyId, name, environment, capabilities } = form
  const { organizationId } = visit.session
  try {
    const issued = await createKey(
      visit.services,
      {
        organizationId,
        keyId,
        name,
        environment,
        capabilities,
        expiresAt: expiryOf(form, visit.now),
      },
      visit.act,
    )
    return await secretPage(visit, issued)
  } catch (error) {
    if (!(error instanceof AdminError)) throw error
    if (error.code === 'changed_meanwhile') {
      return keyPage(
        { ...visit, params: { keyId } },
        {
          problem:
            'This form was sent before and created this key. Its secret was shown then. If you lost it, rotate the key.',
        },
      )
    }
    return page(<NewKeyPage visit={visit} form={form} problem={error.message} />, 400)
  }
}

export async function rotateKeyByForm(visit: MemberVisit): Promise<RouteReply> {
  const secretCreatedAt = Number(visit.form.get('secret_created_at'))
  return changeKey(visit, async (key) =>
    secretPage(visit, await rotateKey(visit.services, { ...key, secretCreatedAt }, visit.act)),
  )
}

export async function endOldSecret(visit: MemberVisit): Promise<RouteReply> {
  return changeKey(visit, async (key) => {
    await endGrace(visit.services, key, visit.act)
    return redirect(`/portal/keys/${key.keyId}?done=old-secret-ended`)
  })
}

export async function revokeKeyByForm(visit: MemberVisit): Promise<RouteReply> {
  return changeKey(visit, async (key) => {
    await revokeKey(visit.services, key, visit.act)
    return redirect(`/portal/keys/${key.keyId}?done=revoked`)
  })
}

/** Changes the key that the route names. If somebody else changed it first, the key's page says who did what. */
async function changeKey(
  visit: MemberVisit,
  change: (key: { organizationId: string; keyId: string }) => Promise<RouteReply>,
): Promise<RouteReply> {
  const key = { organizationId: visit.session.organizationId, keyId: visit.params.keyId ?? '' }
  try {
    return await change(key)
  } catch (error) {
    if (!(error instanceof AdminError)) throw error
    if (error.code === 'not_found') throw notFound()
    return keyPage(visit, { problem: `Nothing was changed. ${await describeLastChange(visit)}` })
  }
}

/** What the other person did, as the predicate of a sentence. */
const CONFLICTS: Partial<Record<AuditAction, string>> = {
  'key.rotated':
    'rotated this key in the meantime. The new secret was shown then and is not shown again. If it is lost, rotate once more.',
  'key.grace_ended': 'ended the old secret in the meantime.',
  'key.revoked': 'revoked this key in the meantime. Create a new one if you still need it.',
}

async function describeLastChange({
  services: { db },
  session,
  params,
}: MemberVisit): Promise<string> {
  const { organizationId } = session
  const entries = await listAudit(db, { organizationId, subject: params.keyId, limit: 1 })
  const [entry] = entries
  const [described] = await describeChanges(db, entries)
  const conflict = entry && CONFLICTS[entry.action]
  if (!conflict || !described) return 'The page was out of date. This is the key as it is now.'
  return `${described.actor === session.signInName ? 'You' : described.actor} ${conflict}`
}

async function secretPage(visit: MemberVisit, issued: IssuedKey): Promise<RouteReply> {
  const { organizationId } = visit.session
  const { keyId } = issued
  const summary = await findKey(visit.services.db, { organizationId, keyId, now: visit.now })
  if (!summary) throw notFound()
  return page(<SecretPage visit={visit} summary={summary} issued={issued} />)
}
