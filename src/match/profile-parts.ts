/** Parts of a profile that the match model reads, in its order. */
export const PROFILE_PARTS = ['interests', 'lifestyle', 'photos', 'bio'] as const
export type ProfilePart = (typeof PROFILE_PARTS)[number]
