import path from 'node:path'
import fc from 'fast-check'
import { getLlama, LlamaLogLevel, type LlamaModel } from 'node-llama-cpp'
import { createChatFormat } from '../../../inference/language/chat-format.js'
import { loadPrompts, type Prompt, type Prompts } from '../../../inference/language/prompts.js'
import { stripInstructions } from '../../../safety/strip-instructions.js'
import { PROJECT_FOLDER } from '../../project-folder.js'
import { Finding } from '../finding.js'
import { oddText } from '../inputs/odd-text.js'
import { readOwnCpuMs } from '../read-own-cpu.js'
import { createTarget } from '../run-target.js'

const PACK_FOLDER = path.join(PROJECT_FOLDER, 'models', 'smollm2-135m-openers')
const MODEL_FILE = 'SmolLM2-135M-Instruct.merged.Q8_0.gguf'
const CEILINGS = { refused: 50, answered: 1_000 }
/** Longest texts that reach a prompt, with room to spare. */
const MAX_BIO = 1_200
const MAX_WORD = 200
const ANY_LINE_END = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/

/** What people wrote, as it reaches the prompts. */
interface PromptInput {
  bio: string
  name: string
  entries: string[]
  prefill: string
}

/** Prompts of the language model: what people write adds no line to them and becomes no control token. */
export const templates = createTarget<PromptInput>('templates', async () => {
  const llama = await getLlama({
    gpu: false,
    build: 'never',
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.error,
  })
  const model = await llama.loadModel({
    modelPath: path.join(PACK_FOLDER, MODEL_FILE),
    vocabOnly: true,
  })
  const prompts = await loadPrompts(path.join(PACK_FOLDER, 'prompts'))
  const format = createChatFormat(model)
  const marksOf = ({ turns }: Prompt, prefill: string) =>
    listMarks(model, format.tokenize(turns, prefill))
  const plain = { bio: 'I bake.', name: 'Sam', entries: ['bread'], prefill: 'Your bread' }
  const expected = renderAll(prompts, plain).map((prompt) => ({
    marks: marksOf(prompt, plain.prefill),
    lines: countLines(prompt),
  }))
  return {
    inputs: fc.record({
      bio: oddText(MAX_BIO),
      name: oddText(MAX_WORD),
      entries: fc.array(oddText(MAX_WORD), { maxLength: 10 }),
      prefill: oddText(MAX_WORD),
    }),
    ceilings: CEILINGS,
    readCpuMs: readOwnCpuMs,
    attempt: async (input) => {
      for (const [i, prompt] of renderAll(prompts, input).entries()) {
        if (countLines(prompt) > expected[i]!.lines) throw new Finding('a text added a line')
        if (marksOf(prompt, input.prefill) !== expected[i]!.marks) {
          throw new Finding('a text changed the control tokens of a prompt')
        }
      }
      return 'answered'
    },
    close: () => llama.dispose(),
  }
})

function renderAll(prompts: Prompts, { bio, name, entries }: PromptInput): Prompt[] {
  const texts = { bio: stripInstructions(bio), photos: entries, likes: entries }
  const opener = { recipient: texts, sender: { name, likes: entries }, tone: 'warm', style: 'x' }
  return [prompts.opener(opener), prompts.preferences({ bio, photos: entries })]
}

function countLines({ turns }: Prompt): number {
  return turns.flatMap(({ text }) => text.split(ANY_LINE_END)).length
}

/** The tokens that structure a chat, in order, as a text that can be compared. */
function listMarks(model: LlamaModel, tokens: ReturnType<LlamaModel['tokenize']>): string {
  return tokens
    .filter((token) => {
      const { control, userDefined } = model.getTokenAttributes(token)
      return control || userDefined || model.isEogToken(token)
    })
    .join(' ')
}
