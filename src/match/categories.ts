import { z } from 'zod'

/** The categories of the interface; each is one signal. */
export const CATEGORIES = [
  'shared_hobbies',
  'lifestyle_fit',
  'similar_goals',
  'complementary_traits',
  'aesthetic_alignment',
] as const
export type Category = (typeof CATEGORIES)[number]

export const categorySchema = z.enum(CATEGORIES)
