import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

/** One field of a protobuf message. Both parts are views of the message: weights stay where they were read. */
export interface WireField {
  number: number
  /** What a length-delimited field holds; of other fields the encoded value. */
  value: Uint8Array
  /** The whole field, tag and length included. */
  bytes: Uint8Array
}

/**
 * The fields of a message in its order, known to anybody or not.
 * @throws Error when the bytes are no protobuf message
 */
export function readFields(message: Uint8Array): WireField[] {
  const reader = new BinaryReader(message)
  const fields: WireField[] = []
  while (reader.pos < reader.len) {
    const start = reader.pos
    const [number, type] = reader.tag()
    const value = type === WireType.LengthDelimited ? reader.bytes() : reader.skip(type, number)
    fields.push({ number, value, bytes: message.subarray(start, reader.pos) })
  }
  return fields
}

/** The values of all fields of this number. */
export function valuesOf(fields: readonly WireField[], number: number): Uint8Array[] {
  return fields.filter((field) => field.number === number).map(({ value }) => value)
}

/** Text of a string field; the last one counts, and none is an empty text. */
export function textOf(fields: readonly WireField[], number: number): string {
  return decodeText(valuesOf(fields, number).at(-1) ?? new Uint8Array())
}

export function decodeText(value: Uint8Array): string {
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('utf8')
}

/** Integers of an int32, int64 or enum field, whether each has a tag of its own or they are packed. */
export function integersOf(fields: readonly WireField[], number: number): number[] {
  return valuesOf(fields, number).flatMap((value) => {
    const reader = new BinaryReader(value)
    const integers: number[] = []
    while (reader.pos < reader.len) integers.push(Number(reader.int64()))
    return integers
  })
}

/** A length-delimited field as the parts that follow each other, so that large ones need not be copied. */
export function encodeField(number: number, parts: readonly Uint8Array[]): Uint8Array[] {
  const length = parts.reduce((sum, part) => sum + part.byteLength, 0)
  const head = new BinaryWriter().tag(number, WireType.LengthDelimited).uint32(length)
  return [head.finish(), ...parts]
}
