interface MeterProps {
  /** In [0, 1]; more fills it. */
  share: number
  tone: 'accent' | 'warning' | 'danger'
}

/** A bar for a number that stands beside it in words. */
export function Meter({ share, tone }: MeterProps) {
  return (
    <svg class={`meter ${tone}`} aria-hidden="true">
      <rect class="meter-ground" width="100%" height="100%" rx="3" />
      <rect width={`${Math.min(1, share) * 100}%`} height="100%" rx="3" />
    </svg>
  )
}
