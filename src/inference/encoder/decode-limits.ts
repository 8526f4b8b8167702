/** Largest width times height of a decoded photo. */
export const MAX_PIXELS = 50_000_000
