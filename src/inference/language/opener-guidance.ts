import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { PromptError } from './prompt-template.js'

const guidanceSchema = z.strictObject({
  beginnings: z.record(z.string(), z.array(z.string().max(120)).max(200)),
})

const judgeSchema = z.strictObject({
  bias: z.number(),
  weights: z.record(z.string(), z.number()),
  beginnings: z.record(z.string(), z.number()),
})

const criticSchema = z.strictObject({
  fitted: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Whether a candidate makes sense. */
  sensible: judgeSchema,
  /** Whether a person would send it as it is. */
  sent: judgeSchema,
})

/** What helps a language model to write openers, besides its prompt. It belongs to one model, so it lies in its pack. */
export interface OpenerGuidance {
  /** By style: what candidates are made to begin with. */
  beginnings: Readonly<Record<string, readonly string[]>>
  /** Weights that tell candidates worth sending from others; undefined: rank by grounding alone. */
  critic: OpenerCritic | undefined
}

export type OpenerCritic = z.infer<typeof criticSchema>

const BEGINNINGS_FILE = 'opener.beginnings.json'
const CRITIC_FILE = 'opener.critic.json'

/**
 * Reads `opener.beginnings.json` and `opener.critic.json` of a prompts folder; a pack may have neither.
 * @throws PromptError when one cannot be used
 */
export async function loadOpenerGuidance(folder: string): Promise<OpenerGuidance> {
  const beginnings = await readJson(path.join(folder, BEGINNINGS_FILE), guidanceSchema)
  const critic = await readJson(path.join(folder, CRITIC_FILE), criticSchema)
  return { beginnings: beginnings?.beginnings ?? {}, critic }
}

async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | undefined> {
  try {
    return schema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : 'it is no JSON'
    throw new PromptError(`The file ${file} cannot be used: ${reason}`)
  }
}
