import { createHash } from 'node:crypto'
import { createJsonParser } from '../../src/http/json-parser.js'

const LARGE = 2 * 1024 * 1024
const tenant = { id: 'org live', weight: 1 }
const never = new AbortController().signal

describe('parsing a body', () => {
  const parser = createJsonParser()
  const parse = (text: string, signal = never) =>
    parser.parse(Buffer.from(text), { tenant, signal })
  const withPadding = (json: unknown) => JSON.stringify(json).padEnd(LARGE)

  it.each([
    ['small', JSON.stringify],
    ['large', withPadding],
  ])('returns the values and the digest of a %s one', async (_size, write) => {
    const value = { bio: 'Grüße 👋', photos: ['a', 'b'], nested: { number: 1.5, nothing: null } }
    const text = write(value)
    const { json, digest } = await parse(text)
    expect(json).toEqual(value)
    expect(Buffer.from(digest)).toEqual(createHash('sha256').update(text).digest())
  })

  it.each([
    ['small', '{"a":'],
    ['large', '{"a":'.padEnd(LARGE)],
    ['deeply nested large', '['.repeat(LARGE)],
  ])('refuses a %s one that is not valid', async (_size, text) => {
    await expect(parse(text)).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('parses large ones that arrive together, each for its caller', async () => {
    const bodies = Array.from({ length: 5 }, (_, index) => parse(withPadding({ index })))
    const values = (await Promise.all(bodies)).map(({ json }) => json)
    expect(values).toEqual([0, 1, 2, 3, 4].map((index) => ({ index })))
  })

  it('goes on after a caller has left', async () => {
    const caller = new AbortController()
    const left = parse(withPadding({ left: true }), caller.signal)
    caller.abort()
    await expect(left).rejects.toMatchObject({ name: 'AbortError' })
    expect((await parse(withPadding({ next: true }))).json).toEqual({ next: true })
  })
})
