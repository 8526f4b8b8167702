import { CAPABILITIES, type Capability } from '../../../organizations/capability.js'

/** What each capability lets a key do, in the order of the API. */
export const CAPABILITY_ACTIONS: Record<Capability, string> = {
  'profile.infer_preferences': 'Infer preferences',
  'match.evaluate': 'Evaluate matches',
  'conversation.openers': 'Write openers',
  events: 'Report events',
}

/** Such as `Write openers, report events`, or `Everything`. */
export function formatCapabilities(capabilities: readonly Capability[]): string {
  if (capabilities.length === CAPABILITIES.length) return 'Everything'
  const labels = capabilities.map((capability) => CAPABILITY_ACTIONS[capability])
  return labels.map((label, index) => (index === 0 ? label : label.toLowerCase())).join(', ')
}
