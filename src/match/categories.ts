import { z } from 'zod'
import { MATCH_CATEGORIES } from '../packs/match-section.js'

/** The categories of the interface; each is one signal. */
export const CATEGORIES = MATCH_CATEGORIES
export type Category = (typeof CATEGORIES)[number]

export const categorySchema = z.enum(CATEGORIES)
