import { z } from 'zod'
import { PHOTO_LIMITS } from '../photos/photo-limits.js'
import { photoReferenceSchema } from '../photos/photo-reference.js'
import { expandedLength } from '../text/expanded-length.js'

/** Size limits of a profile; the API documentation states all of them. */
const PROFILE_LIMITS = {
  idCharacters: 256,
  nameCharacters: 100,
  bioCharacters: 5_000,
  listEntries: 100,
  entryCharacters: 100,
} as const

/**
 * A text may be this many times as long in compatibility form, in which the models read it. Texts of people grow by a few per cent;
 * some single characters grow eighteenfold, and would take a model seconds.
 */
const MAX_EXPANSION = 2

const text = (maxCharacters: number) =>
  z
    .string()
    .max(maxCharacters, { abort: true })
    .refine((value) => value.trim() !== '', { message: 'required, and not empty' })
    .refine((value) => expandedLength(value) <= MAX_EXPANSION * maxCharacters, {
      message: 'too long once its compatibility characters are written out (Unicode NFKC)',
    })
    .meta({ pattern: '\\S' })

export const idSchema = text(PROFILE_LIMITS.idCharacters).describe(
  "Identifier in the partner's system.",
)
export const nameSchema = text(PROFILE_LIMITS.nameCharacters).describe('Display name.')
export const bioSchema = text(PROFILE_LIMITS.bioCharacters).describe('Free-text biography.')
const MEGABYTES = PHOTO_LIMITS.maxBytes / 1024 ** 2
const MEGAPIXELS = PHOTO_LIMITS.maxPixels / 1e6
const AVIF_MEGAPIXELS = PHOTO_LIMITS.maxAvifPixels / 1e6
export const photosSchema = z
  .array(photoReferenceSchema)
  .min(1)
  .max(PHOTO_LIMITS.maxPhotos)
  .describe(
    `1 to ${PHOTO_LIMITS.maxPhotos} photos: \`https:\` URLs or \`data:\` URLs (JPEG, PNG, WebP, AVIF or GIF, up to ${MEGABYTES} MB and ${MEGAPIXELS} MP each, AVIF ${AVIF_MEGAPIXELS} MP).`,
  )

const entries = z.array(text(PROFILE_LIMITS.entryCharacters)).max(PROFILE_LIMITS.listEntries)

/** Preferences as inference returns them and other calls accept them; other fields are ignored. */
export const preferencesSchema = z.object({
  interests: entries.optional().describe('Things the person likes to do or follow.'),
  lifestyle: entries.optional().describe('How the person lives.'),
})

export const userSchema = z.strictObject({
  id: idSchema,
  photos: photosSchema,
  bio: bioSchema,
  preferences: preferencesSchema
    .optional()
    .describe(
      'As preference inference returned it. Improves the match and roughly halves its time.',
    ),
})

export type Preferences = z.infer<typeof preferencesSchema>
export type User = z.infer<typeof userSchema>

export const requestIdSchema = z
  .string()
  .regex(/^req_[0-9a-z]+$/)
  .describe('Identifier of the request; events refer to it.')
