/** Outlines on a 24 by 24 grid, drawn for this portal. */
const PATHS = {
  overview: 'M4 20V10M10 20V4M16 20v-7M22 20H2',
  openers: 'M4 5h16v11H10l-4 4v-4H4zM8 9h8M8 12h5',
  learning: 'M3 17l6-6 4 4 8-9M15 6h6v6',
  retention: 'M4 4h5v5H4zM10.500 4h4v5h-4zM16 4h4v5h-4zM4 11h5v4H4zM10.500 11h4v4h-4zM4 17h5v3H4z',
  keys: 'M14 10a4.500 4.500 0 1 0-3.200 4.300L12.500 16H15v2.500h2.500V21H21v-3.500l-7.300-5.600A4.500 4.500 0 0 0 14 10zM8 9h.01',
  playground: 'M7 4l12 8-12 8z',
  developers: 'M8 7l-5 5 5 5M16 7l5 5-5 5M13.500 4l-3 16',
  members:
    'M9 11a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 20c.4-3.600 2.800-6 6.500-6s6.100 2.400 6.500 6M15.500 4.400a3.500 3.500 0 0 1 0 6.300M17.500 14.400c2.300.8 3.700 2.800 4 5.600',
  'sign-out': 'M10 4H5v16h5M9 12h11M16 8l4 4-4 4',
  menu: 'M4 7h16M4 12h16M4 17h16',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  warning: 'M12 4l9.500 16h-19zM12 10v4.500M12 17.500v.01',
  done: 'M4.500 12.500l5 5 10-11',
  empty: 'M4 13l3-8h10l3 8v6H4zM4 13h5a3 3 0 0 0 6 0h5',
} as const

export type IconName = keyof typeof PATHS

/** A decorative icon. Its meaning must stand beside it in words. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
