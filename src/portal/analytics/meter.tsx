interface MeterProps {
  /** In [0, 1]; above 1 the bar is full. */
  share: number
  tone: 'accent' | 'warning' | 'danger'
}

/** A decorative bar. The number must stand beside it. */
export function Meter({ share, tone }: MeterProps) {
  return (
    <svg class={`meter ${tone}`} aria-hidden="true">
      <rect class="meter-ground" width="100%" height="100%" rx="3" />
      <rect width={`${Math.min(1, share) * 100}%`} height="100%" rx="3" />
    </svg>
  )
}
