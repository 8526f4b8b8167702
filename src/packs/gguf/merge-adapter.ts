import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import {
  GgufError,
  ggufSize,
  openGguf,
  writeGguf,
  type GgufFile,
  type TensorEntry,
} from './gguf-file.js'
import {
  BLOCK_VALUES,
  dequantize,
  Q8_0,
  quantizeToQ8,
  READABLE_FORMATS,
  tensorFormat,
} from './tensor-formats.js'

export interface MergeOptions {
  signal?: AbortSignal | undefined
  onProgress?: (doneBytes: number, totalBytes: number) => void
  /** Called with the size of the result before anything is written. */
  onSize?: (bytes: number) => Promise<void>
}

/** Value of `general.file_type` for mostly Q8_0. Source: llama.h, `llama_ftype`. */
const MOSTLY_Q8_0 = 7

/**
 * Writes the model with its LoRA adapter merged into the weights: W + alpha / rank · B · A, stored as Q8_0. Other weights
 * are copied unchanged. The same files give the same bytes on every machine.
 * @throws GgufError if the files do not fit together, are not GGUF, or have an unsupported tensor format
 */
export async function mergeAdapter(
  paths: { model: string; adapter: string; target: string },
  options: MergeOptions = {},
): Promise<void> {
  const model = await openGguf(paths.model)
  try {
    const adapter = await openGguf(paths.adapter)
    try {
      await merge(model, adapter, paths.target, options)
    } finally {
      await adapter.close()
    }
  } finally {
    await model.close()
  }
}

async function merge(
  model: GgufFile,
  adapter: GgufFile,
  target: string,
  { signal, onProgress, onSize }: MergeOptions,
): Promise<void> {
  const updates = findUpdates(model, adapter)
  const { alignment } = model
  const tensors = model.tensors.map((entry) => (updates.has(entry.name) ? toQ8(entry) : entry))
  const metadata = setFileType(await model.readMetadata())
  const totalBytes = ggufSize(metadata, tensors, alignment)
  await onSize?.(totalBytes)
  let doneBytes = 0
  await writeGguf(target, { metadata, tensors, alignment }, async ({ name, byteLength }) => {
    signal?.throwIfAborted()
    // Merging a large model takes minutes, during which the process must stay responsive.
    await yieldToEventLoop()
    const update = updates.get(name)
    const bytes = await model.readTensor(name)
    doneBytes += byteLength
    onProgress?.(doneBytes, totalBytes)
    if (!update) return bytes
    const weights = decodeValues(update.weight, bytes)
    addUpdate(weights, update, {
      a: decodeValues(update.a, await adapter.readTensor(update.a.name)),
      b: decodeValues(update.b, await adapter.readTensor(update.b.name)),
    })
    return quantizeToQ8(weights)
  })
}

/** Low-rank update of a weight: scale · B · A, with A of [columns, rank] and B of [rank, rows] in GGUF's order. */
interface WeightUpdate {
  weight: TensorEntry
  a: TensorEntry
  b: TensorEntry
  scale: number
}

/** Returns the adapter's updates by the name of the weight. */
function findUpdates(model: GgufFile, adapter: GgufFile): Map<string, WeightUpdate> {
  if (model.architecture !== adapter.architecture) {
    throw new GgufError(
      `the adapter is for the architecture ${adapter.architecture}, but the model is ${model.architecture}`,
    )
  }
  const weights = new Map(model.tensors.map((entry) => [entry.name, entry]))
  const parts = new Map(adapter.tensors.map((entry) => [entry.name, entry]))
  const updates = new Map<string, WeightUpdate>()
  for (const { name } of adapter.tensors) {
    const [, base, part] = /^(.+)\.lora_([ab])$/.exec(name) ?? []
    if (base === undefined)
      throw new GgufError(`the adapter's tensor ${name} is not part of a LoRA`)
    const weight = weights.get(base)
    const a = parts.get(`${base}.lora_a`)
    const b = parts.get(`${base}.lora_b`)
    if (!weight) {
      throw new GgufError(`the adapter changes ${base}, which is missing in the model`)
    }
    if (!a || !b) throw new GgufError(`the adapter has only one of the two tensors for ${base}`)
    if (part === 'a') updates.set(base, toUpdate(weight, a, b, adapter.loraAlpha))
  }
  return updates
}

function toUpdate(
  weight: TensorEntry,
  a: TensorEntry,
  b: TensorEntry,
  alpha: number | undefined,
): WeightUpdate {
  const [columns = 0, rows, ...more] = weight.dimensions
  const [aColumns, rank = 0] = a.dimensions
  const [bRank, bRows] = b.dimensions
  const fits = more.length === 0 && aColumns === columns && bRank === rank && bRows === rows
  if (!fits || columns % BLOCK_VALUES !== 0) {
    throw new GgufError(
      `an adapter of ${a.dimensions.join(' × ')} and ${b.dimensions.join(' × ')} cannot be merged ` +
        `into ${weight.name} of ${weight.dimensions.join(' × ')} as Q8_0`,
    )
  }
  return { weight, a, b, scale: alpha === undefined ? 1 : alpha / rank }
}

function toQ8(entry: TensorEntry): TensorEntry {
  const blocks = countValues(entry) / BLOCK_VALUES
  return { ...entry, format: Q8_0.id, byteLength: blocks * Q8_0.bytesPerBlock }
}

function countValues({ dimensions }: TensorEntry): number {
  return dimensions.reduce((product, length) => product * length, 1)
}

function decodeValues(entry: TensorEntry, bytes: Uint8Array): Float64Array {
  const format = tensorFormat(entry.format)
  if (!format) {
    throw new GgufError(
      `${entry.name} has the GGUF format ${entry.format}; only ${READABLE_FORMATS} can be merged`,
    )
  }
  const blocks = countValues(entry) / format.valuesPerBlock
  return dequantize(format, bytes.subarray(0, blocks * format.bytesPerBlock))
}

function addUpdate(
  weights: Float64Array,
  { weight, a: { dimensions }, scale }: WeightUpdate,
  { a, b }: { a: Float64Array; b: Float64Array },
): void {
  const [columns = 0, rows = 0] = weight.dimensions
  const rank = dimensions[1] ?? 0
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < rank; k++) {
      const scaledB = scale * b[row * rank + k]!
      for (let column = 0; column < columns; column++) {
        weights[row * columns + column]! += scaledB * a[k * columns + column]!
      }
    }
  }
}

/** Sets `general.file_type` in the metadata, if present, to Q8_0. */
function setFileType(metadata: Buffer): Buffer {
  const key = Buffer.from('general.file_type')
  const at = metadata.indexOf(key)
  // The key is followed by the value's type, 4 for uint32, and the value.
  const valueAt = at + key.length + 4
  if (at >= 0 && metadata.readUInt32LE(valueAt - 4) === 4) {
    metadata.writeUInt32LE(MOSTLY_Q8_0, valueAt)
  }
  return metadata
}
