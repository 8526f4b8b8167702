import { Float16Array } from '@petamoriken/float16'
import fc from 'fast-check'
import {
  bytesOf,
  convertTensor,
  readFloats,
} from '../../../src/inference/engines/tensor-formats.js'

function toHalf(values: readonly number[]): Uint16Array {
  const tensor = {
    name: 'x',
    datatype: 'FP32' as const,
    shape: [values.length],
    bytes: bytesOf(Float32Array.from(values)),
  }
  const { bytes } = convertTensor(tensor, 'FP16')
  return new Uint16Array(bytes.slice().buffer)
}

describe('half floats', () => {
  it('round like those of the language', () => {
    fc.assert(
      fc.property(fc.array(fc.float({ noNaN: true }), { maxLength: 50 }), (values) => {
        const expected = new Uint16Array(Float16Array.from(values).buffer)
        // Float16Array rounds doubles; float32 values are the same numbers.
        expect([...toHalf(values)]).toEqual([...expected])
      }),
      { numRuns: 300 },
    )
  })

  it('round ties to even, overflow to infinity and keep the smallest', () => {
    const values = [1 + 2 ** -11, 1 + 3 * 2 ** -11, 65_519, 65_520, 2 ** -24, 2 ** -25, -0, NaN]
    const half = readFloats('FP16', bytesOf(toHalf(values)))
    expect([...half]).toEqual([1, 1 + 2 ** -9, 65_504, Infinity, 2 ** -24, 0, -0, NaN])
  })

  it('reads bytes that begin at any address', () => {
    const bytes = new Uint8Array(9)
    bytes.set(bytesOf(Float32Array.of(1.5, -2)), 1)
    expect([...readFloats('FP32', bytes.subarray(1))]).toEqual([1.5, -2])
  })
})

describe('token ids', () => {
  it('become 32 bits wide where an engine wants that', () => {
    const ids = BigInt64Array.of(101n, 7_592n, 102n)
    const tensor = { name: 'ids', datatype: 'INT64' as const, shape: [1, 3], bytes: bytesOf(ids) }
    const { datatype, bytes } = convertTensor(tensor, 'INT32')
    expect(datatype).toBe('INT32')
    expect([...new Int32Array(bytes.slice().buffer)]).toEqual([101, 7_592, 102])
    expect(convertTensor(tensor, 'INT64')).toBe(tensor)
  })
})
