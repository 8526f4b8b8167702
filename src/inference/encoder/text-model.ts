import { Tensor } from 'onnxruntime-node'
import type { ClipSection } from '../../packs/role-sections.js'
import { findBatchLimit } from './batch-limit.js'
import type { ModelSession } from './model-session.js'
import { runInBatches } from './run-in-batches.js'
import { checkInputs, hasFixedBatch, runForRows } from './session-rows.js'
import { loadTextTokenizer, type TextTokenizer } from './text-tokenizer.js'

export interface TextModelOptions {
  /** The section of the pack. */
  section: { text: ClipSection['text']; tokenizer: string }
  /** Required columns of the output. */
  width: number
  /** Largest batch. */
  batchLimit: number
  /** See `runInBatches`. Default: false. */
  isParallel?: boolean
}

export interface TextModel {
  tokenizer: TextTokenizer
  /** Returns one output row for each list of token ids, in order. */
  run: (encoded: readonly number[][], signal?: AbortSignal) => Promise<Float32Array[]>
}

/**
 * Opens a text model with its tokenizer and runs it at least once.
 * @throws PackMismatchError when inputs or outputs differ from the section
 */
export async function openTextModel(
  session: ModelSession,
  { section: { text, tokenizer: folder }, width, batchLimit, isParallel }: TextModelOptions,
): Promise<TextModel> {
  checkInputs(session, text.inputs)
  const tokenizer = await loadTextTokenizer(folder, text.maxTokens)

  async function run(batch: readonly number[][], signal?: AbortSignal): Promise<Float32Array[]> {
    const feeds = feedsOf(batch, text, tokenizer.padId)
    return runForRows(session, feeds, { output: text.output, count: batch.length, width, signal })
  }

  const probe = tokenizer.encode('a photo')
  const limit = await findBatchLimit((batch) => run(batch), {
    probe,
    neighbour: tokenizer.encode(
      'two friends laugh at a long table in a garden on a late summer evening',
    ),
    limit: hasFixedBatch(session, 'input_ids') ? 1 : batchLimit,
  })
  // An engine must take the largest batch too.
  if (isParallel && limit > 2) await run(Array.from({ length: limit }, () => probe))
  return {
    tokenizer,
    run: async (encoded, signal) => {
      const rows: Float32Array[] = []
      // Batches hold texts of similar length, which keeps padding small.
      const byLength = encoded
        .map((ids, index) => ({ ids, index }))
        .sort((a, b) => a.ids.length - b.ids.length)
      const sorted = await runInBatches(
        byLength,
        limit,
        (batch) =>
          run(
            batch.map(({ ids }) => ids),
            signal,
          ),
        isParallel,
      )
      for (const [position, { index }] of byLength.entries()) {
        rows[index] = sorted[position] as Float32Array
      }
      return rows
    },
  }
}

/** Tensors [batch, sequence] int64, padded at the end. */
function feedsOf(
  batch: readonly number[][],
  { inputs, padding, maxTokens }: ClipSection['text'],
  padId: number,
): Record<string, Tensor> {
  const longest = Math.max(...batch.map((ids) => ids.length))
  const length = padding === 'max-length' ? maxTokens : longest
  const shape = [batch.length, length]
  const columns = {
    input_ids: new BigInt64Array(batch.length * length).fill(BigInt(padId)),
    attention_mask: new BigInt64Array(batch.length * length),
    token_type_ids: new BigInt64Array(batch.length * length),
  }
  for (const [row, ids] of batch.entries()) {
    columns.input_ids.set(ids.map(BigInt), row * length)
    columns.attention_mask.fill(1n, row * length, row * length + ids.length)
  }
  return Object.fromEntries(inputs.map((name) => [name, new Tensor('int64', columns[name], shape)]))
}
