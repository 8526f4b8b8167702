import { readFileSync } from 'node:fs'

/** A real JPEG of about 100 kB. */
export const catJpeg = readFileSync(new URL('../../examples/photos/cat.jpg', import.meta.url))

export function dataUrl(bytes: Uint8Array, type = 'image/jpeg'): string {
  return `data:${type};base64,${Buffer.from(bytes).toString('base64')}`
}

/** A few bytes that pass for a JPEG, different for each number. */
export function tinyJpeg(number: number): Buffer {
  return Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, ...Buffer.from('JFIF'), 0, number, 1, 1, 0, 0])
}
