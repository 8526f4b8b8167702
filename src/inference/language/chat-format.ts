import { Template } from '@huggingface/jinja'
import type { LlamaModel, Token } from 'node-llama-cpp'
import type { ChatTurn } from './language.js'

/** Turns chats into the tokens a model was trained to continue. */
export interface ChatFormat {
  /** @param prefill - text the answer begins with, so that the model continues it */
  tokenize: (turns: readonly ChatTurn[], prefill?: string) => Token[]
}

/** Private-use characters stand for the text of a turn while the template runs, so that it never sees the text. */
const PLACE = /\u{E000}(\d+)\u{E001}/u
const placeOf = (index: number) => `\u{E000}${index}\u{E001}`

const SYSTEM: ChatTurn = { role: 'system', text: '' }
const USER: ChatTurn = { role: 'user', text: '' }
const ASSISTANT: ChatTurn = { role: 'assistant', text: '' }

/**
 * Creates the format from the chat template in the model's GGUF. Only the text of the template can become control tokens; the
 * text of turns never does.
 * @throws Error when the model has no chat template, or one that leaves turns out
 */
export function createChatFormat(model: LlamaModel): ChatFormat {
  const source = model.fileInfo.metadata.tokenizer.chat_template
  if (!source) throw new Error('The model file has no chat template; choose an instruct model.')
  const template = new Template(source)
  const { bos, bosString, eosString, shouldPrependBosToken } = model.tokens

  /** Text of the template at even indices, indices of turns at odd ones. */
  function render(turns: readonly ChatTurn[]): string[] {
    const text = template.render({
      messages: turns.map(({ role }, index) => ({ role, content: placeOf(index) })),
      add_generation_prompt: true,
      bos_token: bosString ?? '',
      eos_token: eosString ?? '',
      // Reasoning models answer directly.
      enable_thinking: false,
    })
    const parts = text.split(PLACE)
    const places = new Set(parts.filter((_, i) => i % 2 === 1))
    if (places.size < turns.length) throw new Error('The chat template leaves turns out.')
    return parts
  }

  render([USER, ASSISTANT, USER])
  const takesSystem = succeeds(() => render([SYSTEM, USER]))
  const marks = new Set(
    render([USER, ASSISTANT, USER])
      .filter((_, i) => i % 2 === 0)
      .flatMap((part) => model.tokenize(part, true))
      .filter((token) => isMark(model, token)),
  )

  function tokenizePlain(text: string): Token[] {
    // Some GGUFs list their chat marks as plain tokens; those are tokenized letter by letter.
    return model
      .tokenize(text, false, 'trimLeadingSpace')
      .flatMap((token) =>
        marks.has(token) || model.isEogToken(token)
          ? Array.from(model.detokenize([token], true)).flatMap((letter) => model.tokenize(letter))
          : [token],
      )
  }

  return {
    tokenize(turns, prefill = '') {
      const shown = takesSystem ? turns : foldSystem(turns)
      const tokens = render(shown).flatMap((part, i) => {
        if (i % 2 === 1) return tokenizePlain(shown[Number(part)]?.text ?? '')
        return model.tokenize(part, true, i === 0 ? undefined : 'trimLeadingSpace')
      })
      tokens.push(...tokenizePlain(prefill))
      // Some templates write the BOS token, some leave it to the tokenizer, and some models want none.
      if (shouldPrependBosToken && bos !== null && tokens[0] !== bos) tokens.unshift(bos)
      return tokens
    },
  }
}

/** Whether a token structures a chat, such as the end of a turn. */
function isMark(model: LlamaModel, token: Token): boolean {
  const { control, userDefined } = model.getTokenAttributes(token)
  return control || userDefined || model.isEogToken(token)
}

/** For templates without a system role: its text precedes that of the first user turn. */
function foldSystem(turns: readonly ChatTurn[]): ChatTurn[] {
  const [system, first, ...rest] = turns
  if (system?.role !== 'system') return [...turns]
  if (!first) return [{ role: 'user', text: system.text }]
  return [{ role: first.role, text: `${system.text}\n\n${first.text}` }, ...rest]
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt()
    return true
  } catch {
    return false
  }
}
