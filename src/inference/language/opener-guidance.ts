import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { PromptError } from './prompt-template.js'

/** Features of a candidate that the reranker weights, by the names they have in pack files. */
export const RERANKER_FEATURES = [
  'places',
  'forKind',
  'patternWords',
  'mean',
  'least',
  'words',
  'tail',
  'isTail',
  'isBare',
  'ownDetails',
  'quoted',
  'repeats',
  'relative',
  'links',
  'pronouns',
  'a',
  'extremes',
  'denies',
] as const

export type RerankerFeature = (typeof RERANKER_FEATURES)[number]

const beginningsSchema = z.strictObject({
  beginnings: z.record(z.string(), z.array(z.string().max(120)).max(200)),
})

const weightSchema = z.number({
  error: ({ input }) => (input === undefined ? 'Missing feature: expected a number' : undefined),
})

/** A weight for every feature: a missing or misspelt one would silently count as 0. */
const weightsSchema = z.strictObject(
  Object.fromEntries(RERANKER_FEATURES.map((name) => [name, weightSchema])) as Record<
    RerankerFeature,
    typeof weightSchema
  >,
  {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `Unknown feature: ${issue.keys.join(', ')}` : undefined,
  },
)

const logisticModelSchema = z.strictObject({
  bias: z.number(),
  weights: weightsSchema,
  /** Weights of single beginnings; one that is not listed has weight 0. */
  beginnings: z.record(z.string(), z.number()),
})

const rerankerSchema = z.strictObject({
  /** When and on which data the weights were fitted. */
  fitted: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Predicts whether a candidate makes sense. */
  sensible: logisticModelSchema,
  /** Predicts whether a person would send the candidate unchanged. */
  sent: logisticModelSchema,
})

/** Helps a language model to write openers, besides its prompt. Specific to one model, so its pack contains it. */
export interface OpenerGuidance {
  /** By style: templates of the text that candidates begin with. */
  beginnings: Readonly<Record<string, readonly string[]>>
  /** Scores candidates; if undefined, they are ranked by grounding alone. */
  reranker: OpenerReranker | undefined
}

export type OpenerReranker = z.infer<typeof rerankerSchema>

const BEGINNINGS_FILE = 'opener.beginnings.json'
/** The name predates the term "reranker" and stays, so that existing packs keep working. */
const RERANKER_FILE = 'opener.critic.json'

/**
 * Reads `opener.beginnings.json` and `opener.critic.json` of a prompts folder; both are optional.
 * @throws PromptError when a file is not valid; the message names the file and the field
 */
export async function loadOpenerGuidance(folder: string): Promise<OpenerGuidance> {
  const beginnings = await readJson(path.join(folder, BEGINNINGS_FILE), beginningsSchema)
  const reranker = await readJson(path.join(folder, RERANKER_FILE), rerankerSchema)
  return { beginnings: beginnings?.beginnings ?? {}, reranker }
}

async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : 'it is not JSON'
    throw new PromptError(`The file ${file} cannot be used: ${reason}`)
  }
}
