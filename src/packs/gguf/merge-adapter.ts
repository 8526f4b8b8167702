import { setImmediate as turn } from 'node:timers/promises'
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

/** Bits of `general.file_type` that say mostly Q8_0. Source: llama.h, `llama_ftype`. */
const MOSTLY_Q8_0 = 7

/**
 * Writes the model with its LoRA adapter added to the weights, which are in Q8_0 then: W + alpha / rank · B · A. Matrices
 * that the adapter does not change are as they were. The same files give the same bytes on every machine.
 * @throws GgufError when the two do not fit together, or one is no GGUF or in a format that is not read here
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
  const products = findProducts(model, adapter)
  const { alignment } = model
  const tensors = model.tensors.map((entry) => (products.has(entry.name) ? inQ8(entry) : entry))
  const metadata = withFileType(await model.readMetadata())
  const totalBytes = ggufSize(metadata, tensors, alignment)
  await onSize?.(totalBytes)
  let doneBytes = 0
  await writeGguf(target, { metadata, tensors, alignment }, async ({ name, byteLength }) => {
    signal?.throwIfAborted()
    // A large model takes minutes, in which the process answers as well.
    await turn()
    const product = products.get(name)
    const bytes = await model.readTensor(name)
    doneBytes += byteLength
    onProgress?.(doneBytes, totalBytes)
    if (!product) return bytes
    const weights = valuesOf(product.weight, bytes)
    addProduct(weights, product, {
      a: valuesOf(product.a, await adapter.readTensor(product.a.name)),
      b: valuesOf(product.b, await adapter.readTensor(product.b.name)),
    })
    return quantizeToQ8(weights)
  })
}

/** What is added to a weight: `b` of [rank, rows] times `a` of [columns, rank], times a factor. */
interface Product {
  weight: TensorEntry
  a: TensorEntry
  b: TensorEntry
  factor: number
}

/** What the adapter changes, by the name of the weight. */
function findProducts(model: GgufFile, adapter: GgufFile): Map<string, Product> {
  if (model.architecture !== adapter.architecture) {
    throw new GgufError(
      `the adapter is for the architecture ${adapter.architecture}, the model is ${model.architecture}`,
    )
  }
  const weights = new Map(model.tensors.map((entry) => [entry.name, entry]))
  const parts = new Map(adapter.tensors.map((entry) => [entry.name, entry]))
  const products = new Map<string, Product>()
  for (const { name } of adapter.tensors) {
    const [, base, part] = /^(.+)\.lora_([ab])$/.exec(name) ?? []
    if (base === undefined) throw new GgufError(`the adapter has ${name}, which is not of a LoRA`)
    const weight = weights.get(base)
    const a = parts.get(`${base}.lora_a`)
    const b = parts.get(`${base}.lora_b`)
    if (!weight || !a || !b) {
      throw new GgufError(
        `the adapter changes ${base}, which the ${weight ? 'adapter has half of' : 'model does not have'}`,
      )
    }
    if (part === 'a') products.set(base, toProduct(weight, a, b, adapter.loraAlpha))
  }
  return products
}

function toProduct(
  weight: TensorEntry,
  a: TensorEntry,
  b: TensorEntry,
  alpha: number | undefined,
): Product {
  const [columns = 0, rows, ...more] = weight.dimensions
  const [aColumns, rank = 0] = a.dimensions
  const [bRank, bRows] = b.dimensions
  const fits = more.length === 0 && aColumns === columns && bRank === rank && bRows === rows
  if (!fits || columns % BLOCK_VALUES !== 0) {
    throw new GgufError(
      `${weight.name} is ${weight.dimensions.join(' × ')}, which an adapter of ` +
        `${a.dimensions.join(' × ')} and ${b.dimensions.join(' × ')} cannot be added to in Q8_0`,
    )
  }
  return { weight, a, b, factor: alpha === undefined ? 1 : alpha / rank }
}

function inQ8(entry: TensorEntry): TensorEntry {
  const blocks = countValues(entry) / BLOCK_VALUES
  return { ...entry, format: Q8_0.id, byteLength: blocks * Q8_0.bytesPerBlock }
}

function countValues({ dimensions }: TensorEntry): number {
  return dimensions.reduce((product, length) => product * length, 1)
}

function valuesOf(entry: TensorEntry, bytes: Uint8Array): Float64Array {
  const format = tensorFormat(entry.format)
  if (!format) {
    throw new GgufError(
      `${entry.name} is in format ${entry.format} of GGUF; only ${READABLE_FORMATS} can be merged`,
    )
  }
  const blocks = countValues(entry) / format.valuesPerBlock
  return dequantize(format, bytes.subarray(0, blocks * format.bytesPerBlock))
}

function addProduct(
  weights: Float64Array,
  { weight, a: { dimensions }, factor }: Product,
  { a, b }: { a: Float64Array; b: Float64Array },
): void {
  const [columns = 0, rows = 0] = weight.dimensions
  const rank = dimensions[1] ?? 0
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < rank; k++) {
      const share = factor * b[row * rank + k]!
      for (let column = 0; column < columns; column++) {
        weights[row * columns + column]! += share * a[k * columns + column]!
      }
    }
  }
}

/** The metadata with what it says of the format put right, where it says it. */
function withFileType(metadata: Buffer): Buffer {
  const key = Buffer.from('general.file_type')
  const at = metadata.indexOf(key)
  // The number of its type, 4 for 32 bits without sign, then the value.
  const valueAt = at + key.length + 4
  if (at >= 0 && metadata.readUInt32LE(valueAt - 4) === 4) {
    metadata.writeUInt32LE(MOSTLY_Q8_0, valueAt)
  }
  return metadata
}
