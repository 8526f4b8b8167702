import { fileTypeFromBuffer } from 'file-type'

export type ImageFormat = 'jpeg' | 'png' | 'webp' | 'avif' | 'gif'

/** Accepted formats by the media type file-type gives them. */
const IMAGE_FORMATS = new Map<string, ImageFormat>([
  ['image/jpeg', 'jpeg'],
  ['image/png', 'png'],
  ['image/apng', 'png'],
  ['image/webp', 'webp'],
  ['image/avif', 'avif'],
  ['image/gif', 'gif'],
])

/** What file-type asks for to recognise any format; parsing no more bounds what hostile bytes can cost. */
const SAMPLE_BYTES = 4_100

/**
 * The format the first bytes announce, or `undefined` when it is none that photos may have.
 *
 * Nothing more is parsed in the server process: pixel dimensions and whether the image decodes are found
 * by the vision worker, where a parser that hangs or crashes costs a restart and not the event loop.
 */
export async function sniffImageFormat(bytes: Uint8Array): Promise<ImageFormat | undefined> {
  const type = await fileTypeFromBuffer(bytes.subarray(0, SAMPLE_BYTES))
  return type && IMAGE_FORMATS.get(type.mime)
}
