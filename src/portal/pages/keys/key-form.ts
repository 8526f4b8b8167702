import { newKeyId } from '../../../organizations/api-key.js'
import {
  CAPABILITIES,
  ENVIRONMENTS,
  type Capability,
  type Environment,
} from '../../../organizations/capability.js'

const DAY_MS = 24 * 60 * 60 * 1_000

/** How long a key works, by the form's value. */
export const LIFETIMES: Record<string, { label: string; milliseconds: number | undefined }> = {
  '': { label: 'never', milliseconds: undefined },
  '30': { label: 'after 30 days', milliseconds: 30 * DAY_MS },
  '90': { label: 'after 90 days', milliseconds: 90 * DAY_MS },
  '365': { label: 'after a year', milliseconds: 365 * DAY_MS },
}

/** The form for a new key, as it is shown and sent. */
export interface KeyForm {
  /** Made with the form, so that sending it twice creates one key. */
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

/** Reads what was sent; whatever no page of the portal sends falls back to what an empty form has. */
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

/** When the key ends, in milliseconds since the epoch; undefined for never. */
export function endOf({ lifetime }: KeyForm, now: number): number | undefined {
  const milliseconds = LIFETIMES[lifetime]?.milliseconds
  return milliseconds === undefined ? undefined : now + milliseconds
}
