import { readFile } from 'node:fs/promises'
import { jest } from '@jest/globals'
import sharp from 'sharp'
import {
  classifyDecodeError,
  MemoryShortage,
  PhotoRefusal,
} from '../../../src/inference/encoder/decode-errors.js'
import { createPhotoDecoder } from '../../../src/inference/encoder/decode-photo.js'

const { signal } = new AbortController()

describe('a photo that cannot be decoded', () => {
  // Messages as libvips, libjpeg, libheif and C++ write them when a limit of the process's memory is reached.
  it.each([
    'vips_tracked: out of memory -- size == 186MB',
    'Input buffer has corrupt header: vips_tracked: out of memory -- size == 140MB',
    'VipsJpeg: Insufficient memory (case 4)',
    'source: bad seek to 1745185\nheif: Invalid input: Unspecified: Memory allocation error (2.0)',
    'std::bad_alloc',
    'Array buffer allocation failed',
  ])('is not at fault when memory was short: %s', (message) => {
    expect(classifyDecodeError(new Error(message), 100)).toBeInstanceOf(MemoryShortage)
  })

  it('is not at fault when its decoder says nothing of memory that is not there', () => {
    const error = new Error('webp2vips: unable to read pixels')
    expect(classifyDecodeError(error, 100)).toBeInstanceOf(PhotoRefusal)
    expect(classifyDecodeError(error, 2 ** 50)).toBeInstanceOf(MemoryShortage)
  })

  it('is not at fault when there is no memory to read its header', () => {
    const empty = new ArrayBuffer(0)
    const reserve = jest.spyOn(globalThis, 'ArrayBuffer').mockImplementation(((bytes: number) => {
      if (bytes === 0) return empty
      throw new RangeError('Array buffer allocation failed')
    }) as () => ArrayBuffer)
    const error = new Error('Input buffer has corrupt header: ')
    try {
      expect(classifyDecodeError(error, 0)).toBeInstanceOf(MemoryShortage)
    } finally {
      reserve.mockRestore()
    }
  })

  it.each([new Error('GPU fell off the bus'), new TypeError('x is not a function'), 'text'])(
    'is not at fault for an error that no decoder reports: %s',
    (error) => {
      expect(classifyDecodeError(error, 100)).toBe(error)
    },
  )

  it.each([
    'VipsJpeg: premature end of JPEG image',
    'vipspng: libpng read error',
    'Unknown error',
    'Input buffer has corrupt header: ',
    'gifload_buffer: Invalid frame data',
    'heif: Memory allocation error: Security limit exceeded: iinf box contains 9 items',
  ])('is at fault when a decoder says so: %s', (message) => {
    expect(classifyDecodeError(new Error(message), 100)).toMatchObject({
      reason: 'damaged or cut off',
    })
  })

  it.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)(
    'is refused when it is a %s that was cut off',
    async (format) => {
      const cat = sharp(await readFile('examples/photos/cat.jpg'))
      const bytes = await cat[format]().toBuffer()
      const decoder = createPhotoDecoder({ threads: 1, ahead: 1, shorterEdge: 64 })
      for (const share of [0.3, 0.6, 0.9]) {
        const half = bytes.subarray(0, Math.floor(bytes.length * share))
        await expect(decoder.decode(half, signal)).rejects.toBeInstanceOf(PhotoRefusal)
      }
    },
  )

  it('is refused by its header when it is an AVIF of more than 16 megapixels', async () => {
    const decoder = createPhotoDecoder({ threads: 1, ahead: 1, shorterEdge: 64 })
    const create = { width: 4_100, height: 4_000, channels: 3, background: '#284' } as const
    const bytes = await sharp({ create }).avif({ effort: 0 }).toBuffer()
    expect(bytes.length).toBeLessThan(2_000)
    await expect(decoder.decode(bytes, signal)).rejects.toMatchObject({
      reason: 'more than 16 megapixels, as AVIF',
    })
  })
})
