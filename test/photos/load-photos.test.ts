import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { inspect } from 'node:util'
import sharp from 'sharp'
import { ServiceError } from '../../src/core/service-error.js'
import { createPhotoFetcher, type PhotoFetcher } from '../../src/photos/fetch-photo.js'
import { loadPhotos, type LoadedPhoto } from '../../src/photos/load-photos.js'
import type { PhotoReference } from '../../src/photos/photo-reference.js'
import { PHOTO_LIMITS } from '../../src/photos/photo-limits.js'
import { loopback, never } from './_fetch-failure.js'
import { photoAt } from './_photo-at.js'
import { openPhotoHost, openSecurePhotoHost, resolver, type PhotoHost } from './_photo-host.js'
import { catJpeg, dataUrl, tinyJpeg } from './_sample-photos.js'

const label = 'recipient.photos'
/** Loads the photos of one field. */
async function loadField(
  fetcher: PhotoFetcher,
  references: PhotoReference[],
  signal: AbortSignal,
): Promise<readonly LoadedPhoto[]> {
  const tenant = { id: 'org live', weight: 1 }
  return (await loadPhotos(fetcher, { [label]: references }, { signal, tenant })).get(label)!
}

const closers: (() => unknown)[] = []
const keep = <T extends { close(): unknown }>(opened: T): T => {
  closers.push(() => opened.close())
  return opened
}
const open = (settings: Partial<typeof loopback> = {}): PhotoFetcher =>
  keep(createPhotoFetcher({ ...loopback, ...settings }, { lookup: resolver({}) }))
const serve = async (body: Uint8Array | string): Promise<PhotoHost> =>
  keep(
    await openPhotoHost((_request, response) => {
      response.writeHead(200, { 'content-type': 'image/jpeg' }).end(body)
    }),
  )
const refusal = async (references: string[], fetcher = open()): Promise<ServiceError> => {
  const error = await loadField(fetcher, references.map(photoAt), never).catch((e) => e)
  expect(error).toBeInstanceOf(ServiceError)
  return error as ServiceError
}

afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

describe('loading photos', () => {
  it('gives bytes and their SHA-256, in the order of the references', async () => {
    const host = keep(
      await openPhotoHost((request, response) => {
        const number = Number(request.url?.slice(1))
        // The first ones come last.
        setTimeout(() => response.end(tinyJpeg(number)), 50 - number * 5)
      }),
    )
    const numbers = [...Array(PHOTO_LIMITS.maxPhotos).keys()]
    const references = numbers.map((number) =>
      number === 4 ? dataUrl(tinyJpeg(number)) : host.url(`/${number}`),
    )
    const photos = await loadField(open(), references.map(photoAt), never)
    for (const number of numbers) {
      const expected = tinyJpeg(number)
      expect(expected.equals(photos[number]!.bytes)).toBe(true)
      expect(photos[number]!.contentHash).toBe(createHash('sha256').update(expected).digest('hex'))
    }
  })

  it.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)('takes %s', async (format) => {
    const image = sharp({ create: { width: 16, height: 16, channels: 3, background: 'teal' } })
    const bytes = await image.toFormat(format).toBuffer()
    // The declared type says something else: only the bytes count.
    const references = [(await serve(bytes)).url('/photo.txt'), dataUrl(bytes, 'image/png')]
    const photos = await loadField(open(), references.map(photoAt), never)
    expect(photos.map((photo) => bytes.equals(photo.bytes))).toEqual([true, true])
  })

  it.each([
    ['nothing', ''],
    ['one byte', '\xff'],
    ['text', 'Just some text in a file that is called photo.jpg, long enough for a header.'],
    ['HTML', '<!doctype html><html><body><img src="a.jpg"></body></html>'],
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>'],
    ['SVG with a prologue', '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['PDF', '%PDF-1.7\n%âãÏÓ\n1 0 obj\n'],
    ['a script', '#!/bin/sh\necho hello\n'],
    ['JSON', JSON.stringify({ photo: 'none' })],
    ['a ZIP', Buffer.from('504b0304140000000800', 'hex')],
    ['a TIFF', Buffer.from('49492a0008000000', 'hex')],
    ['a BMP', Buffer.from('424d3600000000000000', 'hex')],
    ['an ICO', Buffer.from('00000100010010100000', 'hex')],
    ['a HEIC', Buffer.from('00000018667479706865696300000000', 'hex')],
    ['a JPEG XL', Buffer.from('ff0a00000000', 'hex')],
    ['a video', Buffer.from('00000018667479706d70343200000000', 'hex')],
    ['a JPEG behind a byte', Buffer.concat([Buffer.from([0]), catJpeg])],
  ])('refuses %s named .jpg', async (_, body) => {
    const byUrl = await refusal([(await serve(body)).url('/photo.jpg')])
    expect(byUrl.code).toBe('photo_unavailable')
    if (body.length === 0) return
    const inline = await refusal([dataUrl(Buffer.from(body as Buffer))])
    expect(inline.code).toBe('photo_unavailable')
  })

  it('leaves to the decoder what only a decoder can find', async () => {
    const host = await serve(catJpeg.subarray(0, 1_000))
    const [photo] = await loadField(open(), [photoAt(host.url())], never)
    expect(photo?.bytes.length).toBe(1_000)
  })

  it('names the photo by its place in the request', async () => {
    const host = await serve(catJpeg)
    const error = await refusal([host.url(), dataUrl(catJpeg), 'https://gone.example.com/x.jpg'])
    expect(error.code).toBe('photo_unavailable')
    expect(error.message).toContain('recipient.photos[2]')
  })

  it('tells the reasons apart', async () => {
    const tooLarge = await serve(Buffer.alloc(11 * 1024 * 1024))
    const text = await serve('text')
    const loop = keep(
      await openPhotoHost((_request, response) => response.writeHead(302, { location: '/' }).end()),
    )
    const silent = keep(await openPhotoHost(() => {}))
    const references = [
      tooLarge.url(),
      text.url(),
      loop.url(),
      silent.url(),
      'https://10.0.0.1/a.jpg',
      'https://gone.example.com/a.jpg',
    ]
    const messages = new Set<string>()
    for (const reference of references) {
      const fetcher = open(reference === silent.url() ? { fetchTimeoutMs: 100 } : {})
      const error = await refusal([reference], fetcher)
      expect(error.code).toBe('photo_unavailable')
      messages.add(error.message)
    }
    expect(messages.size).toBe(references.length)
  })

  it('calls an http: URL an invalid request where only https: is allowed', async () => {
    const fetcher = open({ allowHttp: false })
    const error = await refusal(['http://photos.example.com/a.jpg'], fetcher)
    expect(error.code).toBe('invalid_request')
  })

  it('ends the other downloads when one photo fails', async () => {
    const slow = keep(await openPhotoHost(() => {}))
    const bad = await serve('text')
    const error = await refusal([slow.url('/1'), bad.url(), slow.url('/2')])
    expect(error.message).toContain('recipient.photos[1]')
    while ((await slow.connections()) > 0) await new Promise((resolve) => setTimeout(resolve, 5))
  })

  it('fetches a few photos of a call at a time', async () => {
    const held: ServerResponse[] = []
    let most = 0
    const host = keep(
      await openPhotoHost((_request, response) => {
        most = Math.max(most, held.push(response))
        const last = host.requests.length === 10
        if (held.length !== PHOTO_LIMITS.concurrentPerField && !last) return
        // Time for one too many to come.
        setTimeout(() => held.splice(0).forEach((waiting) => waiting.end(catJpeg)), 50)
      }),
    )
    const references = Array.from({ length: 10 }, (_, i) => host.url(`/${i}`))
    await loadField(open(), references.map(photoAt), never)
    expect(most).toBe(PHOTO_LIMITS.concurrentPerField)
  })

  it('rejects with the reason of a caller who leaves', async () => {
    const caller = new AbortController()
    const reason = new Error('the client left')
    const host = keep(await openPhotoHost(() => caller.abort(reason)))
    const references = Array.from({ length: 10 }, (_, i) => host.url(`/${i}`))
    const loading = loadField(open(), references.map(photoAt), caller.signal)
    await expect(loading).rejects.toBe(reason)
  })
})

describe('what an error about a photo holds', () => {
  it('is nothing of its URL, whatever went wrong', async () => {
    const redirect = keep(
      await openPhotoHost((request, response) => {
        const to = new URL(request.url ?? '', 'http://x').searchParams.get('to') ?? '/'
        response.writeHead(302, { location: to }).end()
      }),
    )
    const gone = keep(await openPhotoHost((_request, response) => response.writeHead(404).end()))
    const cut = keep(await openPhotoHost((_request, response) => response.destroy()))
    const text = await serve('marker in the body')
    const secure = keep(await openSecurePhotoHost((_request, response) => response.end(catJpeg)))
    const references = [
      'https://marker.example.com/marker.jpg?marker#marker',
      'https://marker.localhost/marker',
      'https://10.0.0.1/marker',
      dataUrl(Buffer.from('marker')),
      gone.url('/marker'),
      cut.url('/marker'),
      text.url('/marker'),
      secure.url('/marker').replace('photos.test', '127.0.0.1'),
      redirect.url('/marker?to=ftp://marker/'),
      redirect.url('/marker?to=/marker'),
      redirect.url('/marker?to=https://marker.example.com/'),
    ]
    const marker = /marker|bWFya2Vy/i
    for (const reference of references) {
      const error = await refusal([reference])
      expect(inspect(error, { depth: Infinity, showHidden: true, getters: true })).not.toMatch(
        marker,
      )
      expect(JSON.stringify(error)).not.toMatch(marker)
      expect(error.cause).toBeUndefined()
    }
  })
})
