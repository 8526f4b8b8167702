/** What a profile tells the match model. */
export const PROFILE_PARTS = ['interests', 'lifestyle', 'photos', 'bio'] as const
export type ProfilePart = (typeof PROFILE_PARTS)[number]
