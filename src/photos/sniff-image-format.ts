import { fileTypeFromBuffer } from 'file-type'

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif'

/** Accepted formats by file-type's media type. */
const IMAGE_FORMATS = new Map<string, ImageFormat>([
  ['image/jpeg', 'jpeg'],
  ['image/png', 'png'],
  ['image/apng', 'png'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
  ['image/gif', 'gif'],
])

/** The sample that file-type needs for any format; the limit bounds the cost of hostile bytes. */
const SAMPLE_BYTES = 4_100

/**
 * Detects the format from the first bytes; `undefined` for a format that is not accepted.
 *
 * The server process parses nothing more. The vision worker reads dimensions and decodes, where a parser that hangs or crashes
 * costs a restart and not the event loop.
 */
export async function sniffImageFormat(bytes: Uint8Array): Promise<ImageFormat | undefined> {
  const type = await fileTypeFromBuffer(bytes.subarray(0, SAMPLE_BYTES))
  return type && IMAGE_FORMATS.get(type.mime)
}
