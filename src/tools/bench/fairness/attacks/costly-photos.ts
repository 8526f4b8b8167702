import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { createMatchBody, readExamplePairs } from '../../example-calls.js'
import type { Attack } from '../attack.js'
import { startFlood } from '../flood.js'

/** 49 megapixels, just below the limit of a photo. */
const SIDE_PIXELS = 7_000

export const costlyPhotos: Attack = {
  name: 'costly-photos',
  describe: 'AVIF and PNG files of a few kilobytes with 49 megapixels, each new',
  async start(target, outcomes) {
    const files = await createFiles()
    const [pair] = readExamplePairs()
    const photo = (index: number) => files[index === 0 ? 0 : 1]!()
    return startFlood(target, outcomes, {
      perSecond: target.requestsPerMinute['match.evaluate'] / 60,
      nextRequest: () => ({
        route: '/v1/match/evaluate',
        body: Buffer.from(JSON.stringify(createMatchBody(pair!, { withPreferences: true, photo }))),
      }),
    })
  },
}

/** Each function returns a `data:` URL that no cache contains. */
async function createFiles(): Promise<(() => string)[]> {
  const side = SIDE_PIXELS
  const flat = sharp({ create: { width: side, height: side, channels: 3, background: '#88aacc' } })
  const avif = await flat.clone().avif({ effort: 0 }).toBuffer()
  const png = await flat.clone().png().toBuffer()
  return [
    () => toDataUrl('avif', avif, createFreeBox()),
    // Decoders ignore bytes after the end of a PNG file.
    () => toDataUrl('png', png, randomBytes(12)),
  ]
}

function toDataUrl(format: string, file: Buffer, unread: Buffer): string {
  return `data:image/${format};base64,${Buffer.concat([file, unread]).toString('base64')}`
}

/** A box that readers skip. Source: ISO/IEC 14496-12, section 8.1.2. */
function createFreeBox(): Buffer {
  const content = randomBytes(12)
  const header = Buffer.alloc(8)
  header.writeUInt32BE(header.length + content.length)
  header.write('free', 4)
  return Buffer.concat([header, content])
}
