import { CAPABILITIES, type Capability } from '../../../organizations/capability.js'

/** Capabilities in words, in the order of the interface. */
export const CAPABILITY_LABELS: Record<Capability, string> = {
  'profile.infer_preferences': 'Infer preferences',
  'match.evaluate': 'Evaluate matches',
  'conversation.openers': 'Write openers',
  events: 'Report events',
}

/** Such as `Write openers, report events`, or `Everything`. */
export function tellCapabilities(capabilities: readonly Capability[]): string {
  if (capabilities.length === CAPABILITIES.length) return 'Everything'
  const labels = capabilities.map((capability) => CAPABILITY_LABELS[capability])
  return labels.map((label, index) => (index === 0 ? label : label.toLowerCase())).join(', ')
}
