import { PHOTO_LIMITS } from '../../src/photos/photo-limits.js'
import { photoReferenceSchema } from '../../src/photos/photo-reference.js'
import { dataUrl, tinyJpeg } from './_sample-photos.js'

const accepts = (reference: unknown) => photoReferenceSchema.safeParse(reference).success

describe('the shape of a photo reference', () => {
  it.each([
    'https://photos.example.com/a.jpg',
    'https://photos.example.com',
    'HTTPS://photos.example.com/a.jpg?size=large&v=2#top',
    'https://photos.example.com:443/a.jpg',
    'https://photos.example.com:8443/a.jpg',
    'http://photos.example.com/a.jpg',
    'http://photos.example.com:9000/bucket/a.jpg',
    'https://bücher.example/фото.jpg',
    `https://photos.example.com/${'a'.repeat(PHOTO_LIMITS.maxUrlLength - 27)}`,
  ])('accepts %s', (reference) => {
    expect(photoReferenceSchema.parse(reference)).toEqual({
      kind: 'remote',
      url: new URL(reference),
    })
  })

  it.each([
    ['nothing', ''],
    ['white space', ' '],
    ['a path', '/photos/a.jpg'],
    ['a host without a scheme', 'photos.example.com/a.jpg'],
    ['ftp', 'ftp://photos.example.com/a.jpg'],
    ['a file', 'file:///etc/passwd'],
    ['a script', 'javascript:alert(1)'],
    ['a blob', 'blob:https://photos.example.com/1'],
    ['a unix socket', 'unix:/var/run/docker.sock:/info'],
    ['gopher', 'gopher://127.0.0.1:6379/_INFO'],
    ['a user name', 'https://user@photos.example.com/a.jpg'],
    ['a password', 'https://user:secret@photos.example.com/a.jpg'],
    ['an empty user and a password', 'https://:secret@photos.example.com/a.jpg'],
    ['the port of mail', 'http://photos.example.com:25/a.jpg'],
    ['the port of a shell', 'https://photos.example.com:22/a.jpg'],
    ['port zero', 'https://photos.example.com:0/a.jpg'],
    ['a port that is none', 'https://photos.example.com:99999/a.jpg'],
    ['a host that is none', 'https://a b.example.com/a.jpg'],
    ['an address that is none', 'https://256.256.256.256/a.jpg'],
    ['white space before it', ' https://photos.example.com/a.jpg'],
    ['a line break inside', 'https://photos.example.com/a\n.jpg'],
    ['a tab in the scheme', 'htt\tps://photos.example.com/a.jpg'],
    ['a zero byte', 'https://photos.example.com/a\0.jpg'],
    ['too many characters', `https://photos.example.com/${'a'.repeat(PHOTO_LIMITS.maxUrlLength)}`],
    ['a number', 7],
    ['an object', { url: 'https://photos.example.com/a.jpg' }],
    ['null', null],
  ])('refuses %s', (_, reference) => {
    expect(accepts(reference)).toBe(false)
  })

  it.each(['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif', 'IMAGE/JPEG'])(
    'accepts a data: URL of %s',
    (type) => {
      expect(accepts(dataUrl(tinyJpeg(1), type))).toBe(true)
    },
  )

  it.each([
    ['no payload', 'data:image/jpeg;base64,'],
    ['no media type', 'data:;base64,/9j/'],
    ['no encoding', 'data:image/jpeg,/9j/'],
    ['parameters', 'data:image/jpeg;charset=utf-8;base64,/9j/'],
    ['text', 'data:text/plain;base64,aGVsbG8='],
    ['SVG', 'data:image/svg+xml;base64,PHN2Zy8+'],
    ['HTML', 'data:text/html;base64,PGh0bWw+'],
    ['a length that is no multiple of four', 'data:image/jpeg;base64,/9j/4'],
    ['missing padding', 'data:image/jpeg;base64,/9j/4AA'],
    ['padding in the middle', 'data:image/jpeg;base64,/9==4AAQ'],
    ['too much padding', 'data:image/jpeg;base64,/9j/A==='],
    ['nothing but padding', 'data:image/jpeg;base64,===='],
    ['the URL-safe alphabet', 'data:image/jpeg;base64,_9j_4AAQ'],
    ['white space', 'data:image/jpeg;base64,/9j/ 4AA'],
    ['a line break', 'data:image/jpeg;base64,/9j/\n4AA'],
    ['characters outside ASCII', 'data:image/jpeg;base64,/9j/éééé'],
    ['percent encoding', 'data:image/jpeg;base64,%2F9j'],
  ])('refuses a data: URL with %s', (_, reference) => {
    expect(accepts(reference)).toBe(false)
  })

  it('finds one bad character anywhere in megabytes of base64', () => {
    const good = 'QUJD'.repeat(1_000_000)
    expect(accepts(`data:image/png;base64,${good}`)).toBe(true)
    for (const at of [0, 65_535, 65_536, 2_000_000, good.length - 1]) {
      const bad = `${good.slice(0, at)}!${good.slice(at + 1)}`
      expect(accepts(`data:image/png;base64,${bad}`)).toBe(false)
    }
  })

  it('never repeats a refused reference', () => {
    for (const reference of [
      'ftp://marker.example/a',
      'https://u:marker@h.example',
      'data:marker',
    ]) {
      const { error } = photoReferenceSchema.safeParse(reference)
      expect(JSON.stringify(error)).not.toContain('marker')
      expect(String(error?.message)).not.toContain('marker')
    }
  })
})
