import { open, type FileHandle } from 'node:fs/promises'

/** Why a file cannot be used as GGUF, or not as it is wanted. */
export class GgufError extends Error {
  override name = 'GgufError'
}

/** A tensor as a GGUF file lists it. */
export interface TensorEntry {
  name: string
  /** Length of a row first. */
  dimensions: number[]
  /** Number of the format of its values. */
  format: number
  /** Of its values; up to 31 bytes of padding may be counted with them. */
  byteLength: number
}

/** A GGUF file opened for reading. */
export interface GgufFile {
  architecture: string
  /** Of a LoRA adapter: the factor of its products, times their rank. */
  loraAlpha: number | undefined
  /** Tensors begin at multiples of so many bytes. */
  alignment: number
  tensors: TensorEntry[]
  /** The bytes before the list of tensors: counts and metadata. */
  readMetadata(): Promise<Buffer>
  /** The bytes of a tensor's values, padding included. */
  readTensor(name: string): Promise<Buffer>
  close(): Promise<void>
}

const DEFAULT_ALIGNMENT = 32

/**
 * Opens a GGUF file.
 * @throws GgufError when it is none
 */
export async function openGguf(path: string): Promise<GgufFile> {
  // Takes 0.4 s to load, and only few commands need it.
  const { readGgufFileInfo } = await import('node-llama-cpp')
  const info = await readGgufFileInfo(path, {
    sourceType: 'filesystem',
    spliceSplitFiles: false,
    logWarnings: false,
  }).catch((error: unknown) => {
    throw new GgufError(`${path} is no GGUF file`, { cause: error })
  })
  const { general, adapter } = info.metadata as {
    general: { architecture: string; alignment?: number }
    adapter?: { lora?: { alpha?: number } }
  }
  const handle = await open(path)
  const { size: sizeBytes } = await handle.stat()
  const places = placeTensors(info.tensorInfo ?? [], sizeBytes)
  return {
    architecture: general.architecture,
    loraAlpha: adapter?.lora?.alpha,
    alignment: general.alignment ?? DEFAULT_ALIGNMENT,
    tensors: [...places.values()].map(({ entry }) => entry),
    readMetadata: () => readBytes(handle, 0, info.metadataSize),
    readTensor: async (name) => {
      const { entry, offset } = places.get(name)!
      return await readBytes(handle, offset, entry.byteLength)
    },
    close: () => handle.close(),
  }
}

interface ListedTensor {
  name: string
  dimensions: readonly (number | bigint)[]
  ggmlType: number
  fileOffset: number | bigint
}

/** Tensors by name, with where they begin in the file; each reaches to the next. */
function placeTensors(listed: readonly ListedTensor[], sizeBytes: number) {
  const starts = listed.map(({ fileOffset }) => Number(fileOffset)).sort((a, b) => a - b)
  return new Map(
    listed.map(({ name, dimensions, ggmlType, fileOffset }) => {
      const offset = Number(fileOffset)
      const end = starts.find((start) => start > offset) ?? sizeBytes
      const byteLength = end - offset
      const entry = { name, dimensions: dimensions.map(Number), format: ggmlType, byteLength }
      return [name, { entry, offset }]
    }),
  )
}

async function readBytes(handle: FileHandle, offset: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset)
  if (bytesRead < length) throw new GgufError('a file ends too early')
  return buffer
}

/** How many bytes a file with these tensors takes. */
export function ggufSize(metadata: Buffer, tensors: readonly TensorEntry[], alignment: number) {
  const list = listTensors(tensors, alignment)
  const values = tensors.reduce((sum, { byteLength }) => sum + aligned(byteLength, alignment), 0)
  return aligned(metadata.length + list.length, alignment) + values
}

/**
 * Writes a GGUF file in order: its beginning, then the values of each tensor.
 * @param metadata - as readMetadata of a file with as many tensors gives it
 */
export async function writeGguf(
  path: string,
  { metadata, tensors, alignment }: Pick<GgufFile, 'tensors' | 'alignment'> & { metadata: Buffer },
  readValues: (tensor: TensorEntry) => Promise<Uint8Array>,
): Promise<void> {
  const handle = await open(path, 'w')
  try {
    const write = async (bytes: Uint8Array) => {
      await handle.writeFile(bytes)
      await handle.writeFile(Buffer.alloc(aligned(bytes.length, alignment) - bytes.length))
    }
    await write(Buffer.concat([metadata, listTensors(tensors, alignment)]))
    for (const tensor of tensors) await write(await readValues(tensor))
  } finally {
    await handle.close()
  }
}

/** Source: ggml's docs/gguf.md, `gguf_tensor_info_t`. */
function listTensors(tensors: readonly TensorEntry[], alignment: number): Buffer {
  let offset = 0
  return Buffer.concat(
    tensors.map(({ name, dimensions, format, byteLength }) => {
      const text = Buffer.from(name)
      const entry = Buffer.alloc(8 + text.length + 4 + 8 * dimensions.length + 4 + 8)
      let at = entry.writeBigUInt64LE(BigInt(text.length))
      at += text.copy(entry, at)
      at = entry.writeUInt32LE(dimensions.length, at)
      for (const length of dimensions) at = entry.writeBigUInt64LE(BigInt(length), at)
      at = entry.writeUInt32LE(format, at)
      entry.writeBigUInt64LE(BigInt(offset), at)
      offset += aligned(byteLength, alignment)
      return entry
    }),
  )
}

function aligned(bytes: number, alignment: number): number {
  return Math.ceil(bytes / alignment) * alignment
}
