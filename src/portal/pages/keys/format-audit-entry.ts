import type { AuditAction, AuditEntry } from '../../../organizations/audit-log.js'
import { formatMoment } from '../../components/moment.js'

interface AuditedChange {
  details: AuditEntry['details']
  /** Sign-in name of the account that was changed. */
  account: string
}

/** The predicate that follows the actor; for actions on keys, the name of the key follows it. */
const PREDICATES: Record<AuditAction, (change: AuditedChange) => string> = {
  'organization.created': () => 'created the organisation',
  'organization.plan_changed': ({ details }) =>
    `moved the organisation from plan ${text(details.from)} to ${text(details.to)}`,
  'organization.deleted': () => 'deleted the organisation',
  'end_user.deleted': () => 'deleted the data of an end user',
  'key.created': ({ details }) => `created the ${text(details.environment)} key`,
  'key.rotated': () => 'rotated',
  'key.grace_ended': () => 'ended the old secret of',
  'key.revoked': () => 'revoked',
  'member.invited': ({ details }) => `invited somebody as ${text(details.role)}`,
  'member.invitation_withdrawn': () => 'withdrew an invitation',
  'member.joined': ({ details }) => `joined as ${text(details.role)}`,
  'member.role_changed': ({ details, account }) =>
    `changed the role of ${account} from ${text(details.from)} to ${text(details.to)}`,
  'member.removed': ({ account }) => `removed ${account}`,
  'account.password_changed': ({ account }) => `set a new password for ${account}`,
  'account.password_reset_issued': ({ account }) => `issued a password reset link for ${account}`,
  'account.signed_out_everywhere': ({ account }) => `signed ${account} out everywhere`,
  'account.passkey_added': () => 'added a passkey',
  'account.passkey_removed': ({ account }) => `removed a passkey of ${account}`,
  'learning.state_changed': ({ details }) =>
    `switched learning in ${text(details.environment)} from ${text(details.from)} to ${text(details.to)}`,
  'learning.control_share_changed': ({ details }) =>
    `changed the control share in ${text(details.environment)} from ${text(details.from)} to ${text(details.to)} %`,
  'learning.reset': ({ details }) => `reset what was learnt in ${text(details.environment)}`,
  'audit.chain_started': () => 'began to chain the audit log',
  'account.address_verified': () => 'verified their address',
  'account.identity_connected': () => 'connected an identity for single sign-on',
  'account.identity_removed': ({ account }) => `disconnected ${account} from single sign-on`,
}

/** What was done, such as `removed ada@example.com`. The actor precedes it, the name of a key follows it. */
export function formatAuditEntry({ action, details }: AuditEntry, account: string): string {
  return PREDICATES[action]({ details, account })
}

/** Until when the old secret works, for a rotation. */
export function formatAuditNote({ action, details }: AuditEntry): string | undefined {
  if (action !== 'key.rotated') return undefined
  return `old secret until ${formatMoment(Number(details.grace_ends_at))}`
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : 'unknown'
}
