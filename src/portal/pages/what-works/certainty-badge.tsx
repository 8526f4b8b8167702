import type { Certainty } from './certainty.js'

export function CertaintyBadge({ label, tone }: Certainty) {
  return <span class={`badge certainty ${tone}`}>{label}</span>
}
