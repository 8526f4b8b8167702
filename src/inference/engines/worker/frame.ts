/** JSON with binary parts behind it: 4 bytes with the length of the JSON, little-endian; the JSON; the parts. */
export interface Frame {
  json: unknown
  /** The bytes behind the JSON, which says how they are divided. */
  bytes: Uint8Array
}

/** A frame that is cut off or longer than allowed. */
export class FrameError extends Error {
  override readonly name = 'FrameError'
}

const LENGTH_BYTES = 4

/** Parts are not copied. */
export function encodeFrame(json: unknown, parts: readonly Uint8Array[] = []): Uint8Array[] {
  const text = Buffer.from(JSON.stringify(json))
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(text.byteLength)
  return [length, text, ...parts]
}

/** @throws FrameError */
export function decodeFrame(frame: Buffer): Frame {
  if (frame.byteLength < LENGTH_BYTES) throw new FrameError('a frame is cut off')
  const end = LENGTH_BYTES + frame.readUInt32LE(0)
  if (end > frame.byteLength) throw new FrameError('a frame is cut off')
  try {
    const json: unknown = JSON.parse(frame.toString('utf8', LENGTH_BYTES, end))
    return { json, bytes: frame.subarray(end) }
  } catch {
    throw new FrameError('a frame has no JSON')
  }
}

/**
 * Divides bytes into parts of these lengths.
 * @throws FrameError unless they fill the bytes exactly
 */
export function divide(bytes: Uint8Array, lengths: readonly number[]): Uint8Array[] {
  let end = 0
  const parts = lengths.map((length) => bytes.subarray(end, (end += length)))
  if (end !== bytes.byteLength) throw new FrameError('a frame has too few or too many bytes')
  return parts
}
