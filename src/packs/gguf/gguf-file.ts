import { open, type FileHandle } from 'node:fs/promises'

/** A file is not GGUF, or cannot be used for merging. */
export class GgufError extends Error {
  override name = 'GgufError'
}

/** Entry of a tensor in a GGUF file. */
export interface TensorEntry {
  name: string
  /** Row length first. */
  dimensions: number[]
  /** Id of the value format, `ggml_type`. */
  format: number
  /** Bytes of the values; may include up to 31 bytes of padding. */
  byteLength: number
}

/** A GGUF file opened for reading. */
export interface GgufFile {
  architecture: string
  /** Alpha of a LoRA adapter. */
  loraAlpha: number | undefined
  /** Tensors start at multiples of this many bytes. */
  alignment: number
  tensors: TensorEntry[]
  /** Reads the bytes before the list of tensors: counts and metadata. */
  readMetadata(): Promise<Buffer>
  /** Reads the values of a tensor, padding included. */
  readTensor(name: string): Promise<Buffer>
  close(): Promise<void>
}

const DEFAULT_ALIGNMENT = 32

/**
 * Opens a GGUF file.
 * @throws GgufError if the file is not GGUF
 */
export async function openGguf(path: string): Promise<GgufFile> {
  // Imported here because it takes 0.4 s and few commands need it.
  const { readGgufFileInfo } = await import('node-llama-cpp')
  const info = await readGgufFileInfo(path, {
    sourceType: 'filesystem',
    spliceSplitFiles: false,
    logWarnings: false,
  }).catch((error: unknown) => {
    throw new GgufError(`${path} is not a GGUF file`, { cause: error })
  })
  const { general, adapter } = info.metadata as {
    general: { architecture: string; alignment?: number }
    adapter?: { lora?: { alpha?: number } }
  }
  const handle = await open(path)
  const { size: sizeBytes } = await handle.stat()
  const tensors = locateTensors(info.tensorInfo ?? [], sizeBytes)
  return {
    architecture: general.architecture,
    loraAlpha: adapter?.lora?.alpha,
    alignment: general.alignment ?? DEFAULT_ALIGNMENT,
    tensors: [...tensors.values()].map(({ entry }) => entry),
    readMetadata: () => readBytes(handle, 0, info.metadataSize),
    readTensor: async (name) => {
      const { entry, offset } = tensors.get(name)!
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

/** Returns the tensors by name with their offsets in the file; each extends to the start of the next. */
function locateTensors(listed: readonly ListedTensor[], sizeBytes: number) {
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
  if (bytesRead < length) throw new GgufError('a GGUF file is truncated')
  return buffer
}

/** Returns the size in bytes of a file with these tensors. */
export function ggufSize(metadata: Buffer, tensors: readonly TensorEntry[], alignment: number) {
  const list = encodeTensorList(tensors, alignment)
  const values = tensors.reduce((sum, { byteLength }) => sum + aligned(byteLength, alignment), 0)
  return aligned(metadata.length + list.length, alignment) + values
}

/**
 * Writes a GGUF file: metadata, the list of tensors, then the values of each tensor.
 * @param metadata - from `readMetadata` of a file with the same number of tensors
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
    await write(Buffer.concat([metadata, encodeTensorList(tensors, alignment)]))
    for (const tensor of tensors) await write(await readValues(tensor))
  } finally {
    await handle.close()
  }
}

/** Source: ggml's docs/gguf.md, `gguf_tensor_info_t`. */
function encodeTensorList(tensors: readonly TensorEntry[], alignment: number): Buffer {
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
