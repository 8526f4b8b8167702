import { Float16Array, setFloat16 } from '@petamoriken/float16'

/** Number of values that share a scale in the quantised formats. */
export const BLOCK_VALUES = 32

let halfValues: Float64Array | undefined

/** Reads a half-precision number from a lookup table, because even a small model has three million of them. */
function readHalf(bytes: DataView, offset: number): number {
  halfValues ??= Float64Array.from(
    new Float16Array(Uint16Array.from({ length: 2 ** 16 }, (_, bits) => bits).buffer),
  )
  return halfValues[bytes.getUint16(offset, true)]!
}

/** How a tensor's values are stored. Source: ggml-common.h (blocks), ggml-quants.c (rounding). */
export interface TensorFormat {
  name: string
  /** `ggml_type` in a GGUF file. */
  id: number
  valuesPerBlock: number
  bytesPerBlock: number
  /** Decodes the block at `offset` into `values` from `at` on. */
  readBlock: (bytes: DataView, offset: number, values: Float64Array, at: number) => void
}

const F32: TensorFormat = {
  name: 'F32',
  id: 0,
  valuesPerBlock: 1,
  bytesPerBlock: 4,
  readBlock: (bytes, offset, values, at) => void (values[at] = bytes.getFloat32(offset, true)),
}

const F16: TensorFormat = {
  name: 'F16',
  id: 1,
  valuesPerBlock: 1,
  bytesPerBlock: 2,
  readBlock: (bytes, offset, values, at) => void (values[at] = readHalf(bytes, offset)),
}

const Q4_0: TensorFormat = {
  name: 'Q4_0',
  id: 2,
  valuesPerBlock: BLOCK_VALUES,
  bytesPerBlock: 18,
  readBlock: (bytes, offset, values, at) => {
    const scale = readHalf(bytes, offset)
    readNibbles(bytes, offset + 2, { scale, min: -8 * scale }, values, at)
  },
}

const Q4_1: TensorFormat = {
  name: 'Q4_1',
  id: 3,
  valuesPerBlock: BLOCK_VALUES,
  bytesPerBlock: 20,
  readBlock: (bytes, offset, values, at) => {
    const scale = readHalf(bytes, offset)
    const min = readHalf(bytes, offset + 2)
    readNibbles(bytes, offset + 4, { scale, min }, values, at)
  },
}

export const Q8_0: TensorFormat = {
  name: 'Q8_0',
  id: 8,
  valuesPerBlock: BLOCK_VALUES,
  bytesPerBlock: 34,
  readBlock: (bytes, offset, values, at) => {
    const scale = readHalf(bytes, offset)
    for (let i = 0; i < BLOCK_VALUES; i++) values[at + i] = scale * bytes.getInt8(offset + 2 + i)
  },
}

const FORMATS = [F32, F16, Q4_0, Q4_1, Q8_0]

export const READABLE_FORMATS = FORMATS.map(({ name }) => name).join(', ')

/** Returns the format with this `ggml_type`; undefined if it is not supported. */
export function tensorFormat(id: number): TensorFormat | undefined {
  return FORMATS.find((format) => format.id === id)
}

/** The low nibbles of 16 bytes hold the first 16 levels (0 to 15), the high nibbles the other 16. */
function readNibbles(
  bytes: DataView,
  offset: number,
  { scale, min }: { scale: number; min: number },
  values: Float64Array,
  at: number,
): void {
  for (let i = 0; i < BLOCK_VALUES / 2; i++) {
    const byte = bytes.getUint8(offset + i)
    values[at + i] = scale * (byte & 0x0f) + min
    values[at + BLOCK_VALUES / 2 + i] = scale * (byte >> 4) + min
  }
}

/** Decodes whole blocks of a tensor. */
export function dequantize(format: TensorFormat, bytes: Uint8Array): Float64Array {
  const { valuesPerBlock, bytesPerBlock, readBlock } = format
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const blocks = bytes.byteLength / bytesPerBlock
  const values = new Float64Array(blocks * valuesPerBlock)
  for (let block = 0; block < blocks; block++) {
    readBlock(view, block * bytesPerBlock, values, block * valuesPerBlock)
  }
  return values
}

/**
 * Encodes values as Q8_0: in each block of 32 the largest magnitude maps to level 127.
 * @param values - length must be a multiple of 32
 */
export function quantizeToQ8(values: Float64Array): Uint8Array {
  const blocks = values.length / BLOCK_VALUES
  const bytes = new Uint8Array(blocks * Q8_0.bytesPerBlock)
  const view = new DataView(bytes.buffer)
  for (let block = 0; block < blocks; block++) {
    const from = block * BLOCK_VALUES
    let maxMagnitude = 0
    for (let i = from; i < from + BLOCK_VALUES; i++) {
      maxMagnitude = Math.max(maxMagnitude, Math.abs(values[i]!))
    }
    const scale = maxMagnitude / 127
    const offset = block * Q8_0.bytesPerBlock
    setFloat16(view, offset, scale, true)
    for (let i = 0; i < BLOCK_VALUES; i++) {
      const level = scale === 0 ? 0 : Math.round(values[from + i]! / scale)
      view.setInt8(offset + 2 + i, level)
    }
  }
  return bytes
}
