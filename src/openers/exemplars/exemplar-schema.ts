import { z } from 'zod'
import { MAX_CHARACTERS, MIN_CHARACTERS } from '../checks/opener-lengths.js'
import { listWords } from '../../text/words.js'
import { styleSchema, TONES } from '../styles.js'

const MAX_ALTERNATIVES = 40
const MAX_CONDITIONS = 4
const MAX_OPENERS = 100
const MAX_RATING = 3

const termSchema = z.string().trim().min(1).max(60)
const alternativesOf = (schema: z.ZodType<string>) => z.array(schema).min(1).max(MAX_ALTERNATIVES)
const alternativesSchema = alternativesOf(termSchema)
const wordsSchema = alternativesOf(
  termSchema.refine((term) => listWords(term).length > 0, 'has no word: emoji are not looked for'),
)

/** Tenths of people, rounded down: 9 for nine of ten or more. Means of several readers have decimals. */
const precisionSchema = z.number().min(0).max(9)

const wordsOfBioSchema = z
  .strictObject({
    any: wordsSchema.describe('Words or phrases, in any inflection.'),
    none: wordsSchema.optional().describe('Words that the same sentence lacks.'),
    precision: z
      .array(precisionSchema)
      .optional()
      .describe(
        'For each of `any`, how many of ten people whose bio has it mean what the openers are about, and as their own.',
      ),
  })
  .refine(
    ({ any, precision }) => precision === undefined || precision.length === any.length,
    '`precision` needs a number for each of `any`',
  )

/** What a profile must have. All that is given must hold; of the alternatives in a list, one. */
const conditionsSchema = z
  .strictObject({
    photos: z
      .array(alternativesSchema)
      .max(MAX_CONDITIONS)
      .optional()
      .describe('Photo tags: for each list, a photo shows one of them.'),
    bio: z
      .array(wordsOfBioSchema)
      .max(MAX_CONDITIONS)
      .optional()
      .describe('For each entry, a sentence of the bio that denies nothing has one of the words.'),
    likes: alternativesSchema.optional().describe('An interest of the recipient.'),
    shared: alternativesSchema.optional().describe('An interest of both people.'),
    thin: z.literal(true).optional().describe('The bio has at most eight words.'),
    always: z.literal(true).optional().describe('Holds for every profile.'),
  })
  .refine((conditions) => Object.keys(conditions).length > 0, 'at least one condition is needed')

const exemplarSchema = z.strictObject({
  style: styleSchema,
  tones: z.array(z.enum(TONES)).min(1).max(TONES.length),
  text: z.string().min(MIN_CHARACTERS).max(MAX_CHARACTERS),
  grade: z
    .literal('B')
    .optional()
    .describe('B: makes sense, but a strict reader would rather send another.'),
  precision: precisionSchema
    .optional()
    .describe(
      'For how many of ten people for whom the conditions hold it is true and makes sense, with all that it presumes.',
    ),
  rating: z
    .number()
    .min(-MAX_RATING)
    .max(MAX_RATING)
    .optional()
    .describe(
      'What readers said of it and of others about the same thing, as log-odds that it adds to being sent.',
    ),
})

/** One line of a file: openers that are true for every profile for which the conditions hold. */
export const exemplarGroupSchema = z.strictObject({
  when: conditionsSchema,
  means: z.string().max(200).optional().describe('The condition on the bio in plain words.'),
  openers: z.array(exemplarSchema).min(1).max(MAX_OPENERS),
})

export type ExemplarGroup = z.infer<typeof exemplarGroupSchema>
export type ExemplarConditions = ExemplarGroup['when']
