import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { PreTrainedTokenizer } from '@xenova/transformers'

/** No language needs as many characters for a token; the rest would be truncated anyway. */
const CHARACTERS_PER_TOKEN = 64
/** WordPiece maps a word of more than 100 characters to one unknown token. */
const MAX_WORD_CHARACTERS = 100
/** Overlap of adjacent windows as a fraction of a window, so that text at a cut is whole in one of them. */
const OVERLAP = 0.25

export interface TextTokenizer {
  /** Pads shorter texts in a batch. */
  padId: number
  /** Token ids of a text with special tokens, at most maxTokens. */
  encode: (text: string) => number[]
  /** The whole text as overlapping windows of token ids. */
  encodeWindows: (text: string) => number[][]
  /**
   * Token ids of two texts, each with its end token. When both do not fit, the longer one is truncated.
   */
  encodePair: (first: string, second: string) => number[]
}

/**
 * Reads `tokenizer.json` and `tokenizer_config.json` from a folder and never from a network.
 * @param maxTokens - longer texts are truncated before the end token, from which CLIP reads the embedding
 */
export async function loadTextTokenizer(folder: string, maxTokens: number): Promise<TextTokenizer> {
  const [definition, config] = await Promise.all(
    ['tokenizer.json', 'tokenizer_config.json'].map((file) => readJson(path.join(folder, file))),
  )
  const tokenizer = new PreTrainedTokenizer(definition, config)
  const specialIds = new Set(tokenizer.all_special_ids)

  function encodeAll(text: string): number[] {
    return tokenizer.encode(withoutSpecialTokens(text, tokenizer.all_special_tokens))
  }

  function unframe(ids: number[]): Framed {
    const start = ids.slice(0, 1).filter((id) => specialIds.has(id))
    const end = ids.slice(-1).filter((id) => specialIds.has(id))
    return { start, body: ids.slice(start.length, ids.length - end.length), end }
  }

  return {
    padId: tokenizer.pad_token_id ?? 0,
    encode: (text) => {
      const ids = encodeAll(text.slice(0, maxTokens * CHARACTERS_PER_TOKEN))
      if (ids.length <= maxTokens) return ids
      // The tokenizer's own truncation would drop the end token as well.
      const end = ids.at(-1) as number
      return specialIds.has(end) ? [...ids.slice(0, maxTokens - 1), end] : ids.slice(0, maxTokens)
    },
    encodeWindows: (text) => {
      const ids = encodeAll(text.replaceAll(LONG_WORD, '$& '))
      if (ids.length <= maxTokens) return [ids]
      const { start, body, end } = unframe(ids)
      return cutWindows(body, maxTokens - start.length - end.length).map((window) => [
        ...start,
        ...window,
        ...end,
      ])
    },
    encodePair: (first, second) => {
      const [left, right] = [first, second].map((text) =>
        unframe(encodeAll(text.slice(0, maxTokens * CHARACTERS_PER_TOKEN))),
      ) as [Framed, Framed]
      const room = maxTokens - left.start.length - left.end.length - right.end.length
      const kept = cutTogether(left.body.length, right.body.length, room)
      return [
        ...left.start,
        ...left.body.slice(0, kept.left),
        ...left.end,
        ...right.body.slice(0, kept.right),
        ...right.end,
      ]
    },
  }
}

/** Token ids of a text without special tokens. */
interface Framed {
  start: number[]
  body: number[]
  end: number[]
}

/** Fits two lengths into a common limit by shortening the longer one. */
function cutTogether(left: number, right: number, room: number): { left: number; right: number } {
  const half = Math.floor(room / 2)
  const keptLeft = Math.min(left, Math.max(half, room - right))
  return { left: keptLeft, right: Math.min(right, room - keptLeft) }
}

const LONG_WORD = new RegExp(`\\S{${MAX_WORD_CHARACTERS}}(?=\\S)`, 'gu')

/** Windows of `size` ids over a longer list; the last one ends with the list. */
function cutWindows(ids: readonly number[], size: number): number[][] {
  const stride = Math.max(1, Math.floor(size * (1 - OVERLAP)))
  const count = Math.ceil((ids.length - size) / stride) + 1
  return Array.from({ length: count }, (_, index) => {
    const from = Math.min(index * stride, ids.length - size)
    return ids.slice(from, from + size)
  })
}

/** Escapes special tokens in users' texts: an end token in a bio would hide the rest of it from the model. */
function withoutSpecialTokens(text: string, tokens: readonly string[]): string {
  return tokens.reduce((rest, token) => rest.replaceAll(token, ' '), text)
}

async function readJson(file: string): Promise<unknown> {
  return JSON.parse(await readFile(file, 'utf8'))
}
