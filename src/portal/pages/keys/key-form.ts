import { newKeyId } from '../../../organizations/api-key.js'
import {
  CAPABILITIES,
  ENVIRONMENTS,
  type Capability,
  type Environment,
} from '../../../organizations/capability.js'

const DAY_MS = 24 * 60 * 60 * 1_000

/** How long a key works, by the value in the form. */
export const LIFETIMES: Record<string, { label: string; lifetimeMs: number | undefined }> = {
  '': { label: 'never', lifetimeMs: undefined },
  '30': { label: 'after 30 days', lifetimeMs: 30 * DAY_MS },
  '90': { label: 'after 90 days', lifetimeMs: 90 * DAY_MS },
  '365': { label: 'after a year', lifetimeMs: 365 * DAY_MS },
}

/** The fields of the form for a new key. */
export interface KeyForm {
  /** Generated with the form, so that sending it twice creates one key. */
  keyId: string
  name: string
  environment: Environment
  capabilities: readonly Capability[]
  lifetime: string
}

export function emptyKeyForm(): KeyForm {
  return {
    keyId: newKeyId(),
    name: '',
    environment: 'test',
    capabilities: CAPABILITIES,
    lifetime: '',
  }
}

/** Reads the submitted form; invalid values, which no page of the portal sends, fall back to those of an empty form. */
export function readKeyForm(form: URLSearchParams): KeyForm {
  const empty = emptyKeyForm()
  const sent = form.getAll('capability')
  const lifetime = form.get('lifetime') ?? ''
  const keyId = form.get('key_id') ?? ''
  return {
    keyId: /^key_[0-9a-f]{24}$/.test(keyId) ? keyId : empty.keyId,
    name: form.get('name') ?? '',
    environment: ENVIRONMENTS.find((one) => one === form.get('environment')) ?? empty.environment,
    capabilities: CAPABILITIES.filter((capability) => sent.includes(capability)),
    lifetime: Object.hasOwn(LIFETIMES, lifetime) ? lifetime : empty.lifetime,
  }
}

/** When the key expires, in milliseconds since the epoch; undefined for never. */
export function expiryOf({ lifetime }: KeyForm, now: number): number | undefined {
  const lifetimeMs = LIFETIMES[lifetime]?.lifetimeMs
  return lifetimeMs === undefined ? undefined : now + lifetimeMs
}
