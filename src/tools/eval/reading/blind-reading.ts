import { z } from 'zod'
import { styleSchema } from '../../../openers/styles.js'
import { seededRandom } from '../../../core/seeded-random.js'
import { shuffle } from '../../statistics/shuffle.js'
import type { Person } from '../read-profiles.js'

/** Who wrote a text, such as the name of a variant. */
export const WRITTEN_BY_HAND = 'written by hand'

const textSchema = z.object({ style: styleSchema, text: z.string() })
/** An opener of one source. */
export type SourceText = z.infer<typeof textSchema>

/** The openers of one variant: for each pair, in order, what it answered. */
export const variantSchema = z.object({
  name: z.string().min(1).max(60),
  /** SHA-256 of the file of pairs. */
  profiles: z.string(),
  openers: z.array(z.array(textSchema)),
})
export type Variant = z.infer<typeof variantSchema>

const messageSchema = textSchema.extend({
  /** As the readers see it, from 1. */
  number: z.number().int().positive(),
  /** Number of the profile, from 1. */
  profile: z.number().int().positive(),
  source: z.string(),
})
export type ReadingMessage = z.infer<typeof messageSchema>

/** Tells who wrote which message; readers never see it. */
export const readingKeySchema = z.object({ messages: z.array(messageSchema) })
export type ReadingKey = z.infer<typeof readingKeySchema>

/** What a profile of a reading shows to the readers. */
export interface ReadProfile {
  recipient: Person
  /** What the sender is known to like. */
  senderLikes: readonly string[]
  /** The texts of all sources. */
  texts: readonly (SourceText & { source: string })[]
}

export interface BlindReading {
  /** Markdown for the readers. */
  sheet: string
  key: ReadingKey
}

/**
 * Shuffles the messages of each profile and hides who wrote them. Equal texts for one profile are shown once for each source,
 * so that each source is judged on all that it wrote.
 * @param seed - the same seed gives the same order
 */
export function composeReading(profiles: readonly ReadProfile[], seed: number): BlindReading {
  const random = seededRandom(seed)
  let number = 0
  const read = profiles.map((profile, i) => ({
    profile,
    messages: shuffle(profile.texts, random).map((text) => ({
      ...text,
      number: ++number,
      profile: i + 1,
    })),
  }))
  return {
    sheet: [
      INSTRUCTIONS,
      ...read.map(({ profile, messages }, i) => renderProfile(profile, i + 1, messages)),
    ].join('\n'),
    key: { messages: read.flatMap(({ messages }) => messages) },
  }
}

function renderProfile(
  { recipient, senderLikes }: ReadProfile,
  number: number,
  messages: readonly ReadingMessage[],
): string {
  const list = (entries: readonly string[]) => entries.join(', ') || '–'
  return [
    `## Profile ${number}`,
    '',
    `Bio: ${recipient.bio.replace(/\s+/gu, ' ').trim() || '(empty)'}`,
    `Photos show: ${list(recipient.photos)}`,
    `The sender likes: ${list(senderLikes)}`,
    '',
    ...messages.map((message) => `${message.number} [${message.style}] ${message.text}`),
    '',
  ].join('\n')
}

const INSTRUCTIONS = `# First messages, read blind

Judge as a person on a dating app: as the one who would press "send", and as the stranger who gets it. The sender knows of the recipient
what stands here, and nothing else. Judge each message by itself with your own taste; several may be good, or none.

Write one line for each message: its number and a grade, then \`i\` if it invents something about either person.

- \`S\` would be sent as it is: natural, makes sense, one would like to get it and to answer
- \`O\` makes sense, but one would rather change it or send another
- \`X\` makes no sense, is wrong for this profile, or is unpleasant

After the messages of a profile write \`best\` and the number of the one that you would send. Example:

\`\`\`text
1 O
2 S
3 X i
best 2
\`\`\`
`
