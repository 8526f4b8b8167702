/** Width times height of one photo that is decoded. */
export const MAX_PIXELS = 50_000_000
