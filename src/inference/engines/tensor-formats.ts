import type { EngineDatatype, EngineTensor } from './engine-question.js'

export const BYTES_OF: Record<EngineDatatype, number> = { FP32: 4, FP16: 2, INT64: 8, INT32: 4 }

/** What an engine may want in place of the datatype of a pack: half floats halve what travels. */
const CONVERSIONS: Partial<Record<EngineDatatype, EngineDatatype>> = {
  FP32: 'FP16',
  INT64: 'INT32',
}

export function canConvert(from: EngineDatatype, to: string): to is EngineDatatype {
  return from === to || CONVERSIONS[from] === to
}

export function countItems(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1)
}

/** @throws Error for datatypes that `canConvert` refuses */
export function convertTensor(tensor: EngineTensor, datatype: EngineDatatype): EngineTensor {
  const { datatype: from, bytes } = tensor
  if (from === datatype) return tensor
  if (from === 'FP32' && datatype === 'FP16') {
    return { ...tensor, datatype, bytes: bytesOf(toHalfFloats(alignedFloats(bytes))) }
  }
  if (from === 'INT64' && datatype === 'INT32') {
    const ids = new BigInt64Array(alignedCopy(bytes, 8))
    return { ...tensor, datatype, bytes: bytesOf(Int32Array.from(ids, Number)) }
  }
  throw new Error(`no conversion from ${from} to ${datatype}`)
}

/** Reads float32 or half floats as float32; copies. */
export function readFloats(datatype: 'FP32' | 'FP16', bytes: Uint8Array): Float32Array {
  if (datatype === 'FP32') return new Float32Array(alignedCopy(bytes, 4))
  return Float32Array.from(new Uint16Array(alignedCopy(bytes, 2)), fromHalfFloat)
}

export function bytesOf({ buffer, byteOffset, byteLength }: NodeJS.ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)
}

function alignedFloats(bytes: Uint8Array): Float32Array {
  if (bytes.byteOffset % 4 !== 0) return new Float32Array(alignedCopy(bytes, 4))
  return new Float32Array(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength / 4)
}

/** A copy that starts at an address where numbers may start; cut to whole numbers. */
function alignedCopy(bytes: Uint8Array, size: number): ArrayBuffer {
  const length = bytes.byteLength - (bytes.byteLength % size)
  const copy = new ArrayBuffer(length)
  new Uint8Array(copy).set(bytes.subarray(0, length))
  return copy
}

/**
 * Rounds to the nearest half float, ties to even. Works on the bits: a photo has 200,000 values. IEEE 754 binary16: 1 sign, 5 exponent, 10 fraction bits.
 */
function toHalfFloats(floats: Float32Array): Uint16Array {
  const bits = new Uint32Array(floats.buffer, floats.byteOffset, floats.length)
  const halves = new Uint16Array(floats.length)
  for (let i = 0; i < bits.length; i++) halves[i] = toHalfFloat(bits[i] as number)
  return halves
}

function toHalfFloat(bits: number): number {
  const sign = (bits >>> 16) & 0x8000
  const exponent = (bits >>> 23) & 0xff
  const fraction = bits & 0x7f_ffff
  // Beyond 65,504 a half float is infinite; NaN stays NaN.
  if (exponent === 0xff) return sign | 0x7c00 | (fraction === 0 ? 0 : 0x200)
  const halfExponent = exponent - 127 + 15
  if (halfExponent >= 0x1f) return sign | 0x7c00
  if (halfExponent > 0) {
    return sign | roundAway((halfExponent << 10) | (fraction >>> 13), fraction & 0x1fff, 0x1000)
  }
  // Subnormal: the leading one becomes explicit. Smaller ones become zero.
  if (halfExponent < -10) return sign
  const mantissa = fraction | 0x80_0000
  const shift = 14 - halfExponent
  return sign | roundAway(mantissa >>> shift, mantissa & ((1 << shift) - 1), 1 << (shift - 1))
}

/** A carry into the exponent is right: the next power of two follows the largest fraction. */
function roundAway(value: number, rest: number, half: number): number {
  return rest > half || (rest === half && (value & 1) === 1) ? value + 1 : value
}

function fromHalfFloat(half: number): number {
  const sign = half & 0x8000 ? -1 : 1
  const exponent = (half >>> 10) & 0x1f
  const fraction = half & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN
  return sign * (1 + fraction / 1_024) * 2 ** (exponent - 15)
}
