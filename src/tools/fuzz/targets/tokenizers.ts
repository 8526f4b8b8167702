import path from 'node:path'
import fc from 'fast-check'
import { loadTextTokenizer, type TextTokenizer } from '../../../inference/encoder/text-tokenizer.js'
import { bioSchema } from '../../../profile/profile-fields.js'
import { PROJECT_FOLDER } from '../../project-folder.js'
import { Finding } from '../finding.js'
import { oddText } from '../inputs/odd-text.js'
import { readOwnCpuMs } from '../read-own-cpu.js'
import { createTarget } from '../run-target.js'

const PACKS = [
  // A bio of 5,000 characters, one token each, takes 53 windows of 128 tokens; expansion may double that.
  { name: 'bio-safety-e5-small', maxTokens: 128, maxWindows: 110 },
  // These two read one window only.
  { name: 'match-minilm', maxTokens: 256, maxWindows: Infinity },
  { name: 'clip-lite', maxTokens: 77, maxWindows: Infinity },
]
const MAX_BIO = 5_000
const CEILINGS = { refused: 50, answered: 2_000 }

/** The tokenizers of the encoders: no special token out of a text, no window beyond the limit, bounded work. */
export const tokenizers = createTarget<[string, string]>('tokenizers', async () => {
  const loaded = await Promise.all(
    PACKS.map(async ({ name, maxTokens, maxWindows }) => {
      const folder = path.join(PROJECT_FOLDER, 'models', name)
      const tokenizer = await loadTextTokenizer(folder, maxTokens)
      return { name, maxTokens, maxWindows, tokenizer, frame: framesOf(tokenizer) }
    }),
  )
  return {
    inputs: fc.tuple(oddText(MAX_BIO), oddText(MAX_BIO)),
    ceilings: CEILINGS,
    readCpuMs: readOwnCpuMs,
    attempt: async ([first, second]) => {
      if (![first, second].every((text) => bioSchema.safeParse(text).success)) return 'refused'
      for (const { name, maxTokens, maxWindows, tokenizer, frame } of loaded) {
        const windows = tokenizer.encodeWindows(first)
        const pair = tokenizer.encodePair(first, second)
        if (windows.length > maxWindows) throw new Finding(`${name}: ${windows.length} windows`)
        for (const ids of [...windows, pair, tokenizer.encode(first)]) {
          if (ids.length > maxTokens) throw new Finding(`${name}: ${ids.length} tokens`)
          if (!ids.every(Number.isSafeInteger)) throw new Finding(`${name}: not a token id`)
        }
        for (const ids of windows) requirePlain(name, ids, frame)
      }
      return 'answered'
    },
  }
})

/** The special tokens around a text. */
interface Frame {
  start: number | undefined
  end: number | undefined
}

function framesOf(tokenizer: TextTokenizer): Frame {
  const ids = tokenizer.encode('bread')
  return ids.length > 2 ? { start: ids[0], end: ids.at(-1) } : { start: undefined, end: undefined }
}

/** @throws Finding when a special token stands within the text */
function requirePlain(name: string, ids: readonly number[], { start, end }: Frame): void {
  if (start === undefined) return
  const body = ids.slice(1, -1)
  if (body.includes(start) || (end !== undefined && body.includes(end))) {
    throw new Finding(`${name}: a special token came out of a text`)
  }
}
