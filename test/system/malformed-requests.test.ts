import http from 'node:http'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { readJson } from '../_read-json.js'
import { photo } from './_profiles.js'
import { largePng, truncatedJpeg } from './_hostile-images.js'
import { startServerProcess, type ServerProcess } from './_server-process.js'
import { describeWithWeights, MISSING_WEIGHTS } from '../_weights.js'

const ROUTE = '/v1/profile/infer-preferences'
const BIO = 'I walk a lot.'

describeWithWeights('malformed requests', MISSING_WEIGHTS, () => {
  let server: ServerProcess
  let redirector: http.Server
  let redirectUrl: string
  let good: string
  beforeAll(async () => {
    // The allowed address redirects to a forbidden one.
    redirector = http.createServer((_request, response) => {
      response.writeHead(302, { Location: 'http://127.0.0.2:9/photo.jpg' }).end()
    })
    await new Promise<void>((resolve) => redirector.listen(0, '127.0.0.1', resolve))
    const { port } = redirector.address() as { port: number }
    redirectUrl = `http://127.0.0.1:${port}/photo.jpg`
    good = await photo('cat')
    server = await startServerProcess({
      env: {
        PHOTO_ALLOW_HTTP: 'true',
        PHOTO_ALLOW_CIDR: '127.0.0.1/32',
        BODY_LIMIT_BYTES: '40000000',
      },
    })
  }, 180_000)
  afterAll(async () => {
    await server?.close()
    await new Promise((resolve) => redirector.close(resolve))
  })

  const send = async (body: unknown, more: Record<string, string> = {}) => {
    const answer = await server.post(ROUTE, body, more)
    return { status: answer.status, body: await readJson(answer) }
  }
  const withPhotos = (photos: unknown) => ({ user: { id: 'u', bio: BIO, photos } })

  const BODIES: [string, unknown, number, string][] = [
    ['an empty body', '', 400, 'invalid_user'],
    ['broken JSON', '{"user":', 400, 'invalid_request'],
    ['a bare string', '"user"', 400, 'invalid_request'],
    ['a list', '[]', 400, 'invalid_request'],
    ['null', 'null', 400, 'invalid_request'],
    [
      'JSON nested 10,000 deep',
      `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
      400,
      'invalid_request',
    ],
    ['no user', '{}', 400, 'invalid_user'],
    ['a user that is a string', { user: 'u' }, 400, 'invalid_request'],
    [
      'a user without an id',
      { user: { bio: BIO, photos: ['https://a.example/p.jpg'] } },
      400,
      'invalid_user',
    ],
    [
      'a bio that is a number',
      { user: { id: 'u', bio: 7, photos: ['https://a.example/p.jpg'] } },
      400,
      'invalid_request',
    ],
    [
      'a blank bio',
      { user: { id: 'u', bio: ' \n', photos: ['https://a.example/p.jpg'] } },
      400,
      'invalid_user',
    ],
    [
      'a bio of 1 MB',
      { user: { id: 'u', bio: 'a'.repeat(1_000_000), photos: ['https://a.example/p.jpg'] } },
      400,
      'invalid_request',
    ],
    [
      'an unknown field',
      { user: { id: 'u', bio: BIO, photos: ['https://a.example/p.jpg'] }, x: 1 },
      400,
      'invalid_request',
    ],
    [
      '__proto__ as a field',
      '{"user":{"id":"u","bio":"b","photos":["https://a.example/p"],"__proto__":{"x":1}}}',
      400,
      'invalid_request',
    ],
    ['photos that are a string', withPhotos('https://a.example/p.jpg'), 400, 'invalid_request'],
    ['no photos', withPhotos([]), 400, 'invalid_user'],
    [
      '11 photos',
      withPhotos(Array.from({ length: 11 }, () => 'https://a.example/p.jpg')),
      400,
      'invalid_request',
    ],
    ['a photo that is a number', withPhotos([7]), 400, 'invalid_request'],
    [
      'a URL of 5,000 characters',
      withPhotos([`https://a.example/${'p'.repeat(5_000)}`]),
      400,
      'invalid_request',
    ],
    ['a file: URL', withPhotos(['file:///etc/passwd']), 400, 'invalid_request'],
    ['an ftp: URL', withPhotos(['ftp://a.example/p.jpg']), 400, 'invalid_request'],
    ['a javascript: URL', withPhotos(['javascript:alert(1)']), 400, 'invalid_request'],
    [
      'a URL with a password',
      withPhotos(['https://me:secret@a.example/p.jpg']),
      400,
      'invalid_request',
    ],
    [
      'a data: URL of another type',
      withPhotos(['data:text/html;base64,PGI+']),
      400,
      'invalid_request',
    ],
    [
      'a data: URL with broken base64',
      withPhotos(['data:image/jpeg;base64,%%%']),
      400,
      'invalid_request',
    ],
    [
      'a private address by name',
      withPhotos(['https://localhost/p.jpg']),
      400,
      'photo_unavailable',
    ],
    [
      'a private address by number',
      withPhotos(['https://10.0.0.1/p.jpg']),
      400,
      'photo_unavailable',
    ],
    [
      'a private address in decimal',
      withPhotos(['http://2130706434:8080/p.jpg']),
      400,
      'photo_unavailable',
    ],
    [
      'a private address in octal',
      withPhotos(['http://0177.0.0.2:8080/p.jpg']),
      400,
      'photo_unavailable',
    ],
    [
      'a private address in hexadecimal',
      withPhotos(['http://0x7f.0.0.2:8080/p.jpg']),
      400,
      'photo_unavailable',
    ],
    [
      'the cloud metadata address',
      withPhotos(['http://169.254.169.254/latest/meta-data']),
      400,
      'photo_unavailable',
    ],
    ['loopback by IPv6', withPhotos(['http://[::1]:8080/p.jpg']), 400, 'photo_unavailable'],
    [
      'a mapped IPv6 address',
      withPhotos(['http://[::ffff:10.0.0.1]/p.jpg']),
      400,
      'photo_unavailable',
    ],
    [
      'a unique local IPv6 address',
      withPhotos(['http://[fd00::1]/p.jpg']),
      400,
      'photo_unavailable',
    ],
    ['a link-local IPv6 address', withPhotos(['http://[fe80::1]/p.jpg']), 400, 'photo_unavailable'],
    [
      'a name that does not exist',
      withPhotos(['https://photos.invalid/p.jpg']),
      400,
      'photo_unavailable',
    ],
  ]

  it.each(BODIES)('refuses %s', async (_what, body, status, code) => {
    const answer = await send(body)
    expect([answer.status, answer.body.error]).toEqual([status, code])
  })

  it('refuses a redirect to a private address', async () => {
    const answer = await send(withPhotos([good, redirectUrl]))
    expect([answer.status, answer.body.error]).toEqual([400, 'photo_unavailable'])
    expect(answer.body.message).toContain('user.photos[1]')
  })

  it('refuses a text file declared as JPEG', async () => {
    const text = Buffer.from('This is no photo. '.repeat(50)).toString('base64')
    const answer = await send(withPhotos([`data:image/jpeg;base64,${text}`]))
    expect([answer.status, answer.body.error]).toEqual([400, 'photo_unavailable'])
  })

  it('refuses a truncated JPEG and names the photo', async () => {
    const answer = await send(withPhotos([good, await truncatedJpeg()]))
    expect([answer.status, answer.body.error]).toEqual([400, 'photo_unavailable'])
    expect(answer.body.message).toContain('user.photos[1]')
  })

  it('refuses a PNG of 60 megapixels', async () => {
    const answer = await send(withPhotos([await largePng(7_750, 7_750)]))
    expect([answer.status, answer.body.error]).toEqual([400, 'photo_unavailable'])
  })

  it.each([
    ['no content type', { 'Content-Type': 'text/plain' }, 415, 'unsupported_media_type'],
    ['an unknown encoding', { 'Content-Encoding': 'zip' }, 415, 'unsupported_media_type'],
    ['a body that is not gzip', { 'Content-Encoding': 'gzip' }, 400, 'invalid_request'],
    ['no key', { Authorization: '' }, 401, 'missing_api_key'],
    ['a wrong key', { Authorization: 'Bearer sk_live_nonsense' }, 401, 'invalid_api_key'],
    [
      'an end-user id that is not a hash',
      { 'X-Partner-End-User-Id': 'maya@example.com' },
      400,
      'invalid_request',
    ],
    [
      'an idempotency key that is not a UUID',
      { 'X-Idempotency-Key': 'again' },
      400,
      'invalid_request',
    ],
  ])('refuses %s', async (_what, more, status, code) => {
    const answer = await send(withPhotos([good]), more)
    expect([answer.status, answer.body.error]).toEqual([status, code])
  })

  it('still answers afterwards', async () => {
    expect((await send(withPhotos([good]))).status).toBe(200)
  })
})
