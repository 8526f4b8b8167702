import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { PreTrainedTokenizer } from '@xenova/transformers'

/** No language needs as many characters for a token; what lies beyond would be cut off anyway. */
const CHARACTERS_PER_TOKEN = 64

export interface CaptionTokenizer {
  /** Fills up shorter texts in a batch. */
  padId: number
  /** Token ids of a text with the special tokens around it, at most maxTokens of them. */
  encode(text: string): number[]
}

/**
 * Reads `tokenizer.json` and `tokenizer_config.json` from a folder; no other place is ever asked.
 * @param maxTokens - longer texts lose their end, never the end token that CLIP reads its embedding from
 */
export async function loadCaptionTokenizer(
  folder: string,
  maxTokens: number,
): Promise<CaptionTokenizer> {
  const [definition, config] = await Promise.all(
    ['tokenizer.json', 'tokenizer_config.json'].map((file) => readJson(path.join(folder, file))),
  )
  const tokenizer = new PreTrainedTokenizer(definition, config)
  const endIds = new Set(tokenizer.all_special_ids)
  return {
    padId: tokenizer.pad_token_id ?? 0,
    encode: (text) => {
      const start = text.slice(0, maxTokens * CHARACTERS_PER_TOKEN)
      const ids = tokenizer.encode(withoutSpecialTokens(start, tokenizer.all_special_tokens))
      if (ids.length <= maxTokens) return ids
      // The tokenizer's own truncation would cut the end token off as well.
      const end = ids.at(-1) as number
      return endIds.has(end) ? [...ids.slice(0, maxTokens - 1), end] : ids.slice(0, maxTokens)
    },
  }
}

/** Users' text is text: written in a bio, an end token would hide all that follows it from the model. */
function withoutSpecialTokens(text: string, tokens: readonly string[]): string {
  return tokens.reduce((rest, token) => rest.replaceAll(token, ' '), text)
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'))
}
