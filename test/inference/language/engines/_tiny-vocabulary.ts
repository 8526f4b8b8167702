import { writeFile } from 'node:fs/promises'

/** Control tokens, by id; all other tokens are single bytes. */
export const CONTROL_TOKENS = ['<|endoftext|>', '<|im_start|>', '<|im_end|>']
export const FIRST_BYTE_TOKEN = CONTROL_TOKENS.length
export const CHAT_TEMPLATE =
  "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"

const TYPE = { uint32: 4, int32: 5, string: 8, array: 9 } as const
const NORMAL = 1
const CONTROL = 3
const BYTES = 256

/** Tokenizes as the tiny vocabulary does. */
export function tokenizeTiny(text: string): number[] {
  return text.split(/(<\|\w+\|>)/).flatMap((part) => {
    const control = CONTROL_TOKENS.indexOf(part)
    return control < 0 ? Array.from(Buffer.from(part), (byte) => FIRST_BYTE_TOKEN + byte) : control
  })
}

/** The text of byte tokens; control tokens as their names. */
export function detokenizeTiny(tokens: readonly number[]): string {
  return Buffer.concat(
    tokens.map((id) =>
      id < FIRST_BYTE_TOKEN
        ? Buffer.from(CONTROL_TOKENS[id]!)
        : Buffer.from([id - FIRST_BYTE_TOKEN]),
    ),
  ).toString()
}

/**
 * Writes a GGUF file with a vocabulary of single bytes, a chat template and one tensor of four values.
 * Source: docs/gguf.md of ggml.
 */
export async function writeTinyVocabulary(file: string): Promise<void> {
  const letters = byteLetters()
  // The format allows no empty list of merges; these two bytes are in no text.
  const tokens = [...CONTROL_TOKENS, ...letters, `${letters[0]}${letters[1]}`]
  const metadata: Buffer[] = [
    entry('general.architecture', TYPE.string, text('llama')),
    entry('llama.context_length', TYPE.uint32, uint32(1_024)),
    entry('llama.embedding_length', TYPE.uint32, uint32(4)),
    entry('llama.block_count', TYPE.uint32, uint32(1)),
    entry('llama.feed_forward_length', TYPE.uint32, uint32(4)),
    entry('llama.attention.head_count', TYPE.uint32, uint32(1)),
    entry('tokenizer.ggml.model', TYPE.string, text('gpt2')),
    entry('tokenizer.ggml.pre', TYPE.string, text('gpt-2')),
    entry('tokenizer.ggml.tokens', TYPE.array, list(TYPE.string, tokens.map(text))),
    entry(
      'tokenizer.ggml.token_type',
      TYPE.array,
      list(
        TYPE.int32,
        tokens.map((_, id) => uint32(id < FIRST_BYTE_TOKEN ? CONTROL : NORMAL)),
      ),
    ),
    entry(
      'tokenizer.ggml.merges',
      TYPE.array,
      list(TYPE.string, [text(`${letters[0]} ${letters[1]}`)]),
    ),
    entry('tokenizer.ggml.bos_token_id', TYPE.uint32, uint32(1)),
    entry('tokenizer.ggml.eos_token_id', TYPE.uint32, uint32(2)),
    entry('tokenizer.chat_template', TYPE.string, text(CHAT_TEMPLATE)),
  ]
  const tensor = Buffer.concat([
    text('output_norm.weight'),
    uint32(1),
    uint64(4),
    uint32(0),
    uint64(0),
  ])
  const header = Buffer.concat([
    Buffer.from('GGUF'),
    uint32(3),
    uint64(1),
    uint64(metadata.length),
    ...metadata,
    tensor,
  ])
  const padding = Buffer.alloc((32 - (header.length % 32)) % 32)
  await writeFile(file, Buffer.concat([header, padding, Buffer.alloc(32)]))
}

/** Names of the 256 bytes. Source: `bytes_to_unicode` of GPT-2. */
function byteLetters(): string[] {
  let next = BYTES
  return Array.from({ length: BYTES }, (_, byte) => {
    const isVisible = (byte > 32 && byte < 127) || (byte > 160 && byte !== 173)
    return String.fromCodePoint(isVisible ? byte : next++)
  })
}

function entry(key: string, type: number, value: Buffer): Buffer {
  return Buffer.concat([text(key), uint32(type), value])
}

function list(type: number, values: readonly Buffer[]): Buffer {
  return Buffer.concat([uint32(type), uint64(values.length), ...values])
}

function text(value: string): Buffer {
  return Buffer.concat([uint64(Buffer.byteLength(value)), Buffer.from(value)])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
