import { z } from 'zod'
import { MATCH_CATEGORIES } from '../packs/match-section.js'

/** Reason categories of the API; each belongs to one signal. */
export const CATEGORIES = MATCH_CATEGORIES
export type Category = (typeof CATEGORIES)[number]

export const categorySchema = z.enum(CATEGORIES)
