import { readFile } from 'node:fs/promises'
import { crc32, deflateSync } from 'node:zlib'

/** Returns the first half of a bundled photo. */
export async function truncatedJpeg(): Promise<string> {
  const bytes = await readFile('examples/photos/coffee.jpg')
  return `data:image/jpeg;base64,${bytes.subarray(0, bytes.length / 2).toString('base64')}`
}

/** Creates a valid one-bit black PNG, which is a small file for any number of pixels. */
export async function largePng(width: number, height: number): Promise<string> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const row = 1 + Math.ceil(width / 8)
  const bytes = Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(row * height))),
    chunk('IEND', Buffer.alloc(0)),
  ])
  return `data:image/png;base64,${bytes.toString('base64')}`
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'ascii'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
