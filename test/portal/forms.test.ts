import { startPortal, type Portal } from './_portal.js'

let portal: Portal
beforeAll(async () => {
  portal = await startPortal()
})
afterAll(() => portal.close())

const TARGET = 'POST /portal/account/sign-out-everywhere'
const ACCEPTED = { status: 303, isSignedIn: false }
const REFUSED = { status: 403, isSignedIn: true }

async function submit(headers: Record<string, string>, form: Record<string, string> = {}) {
  const as = await portal.addMember('viewer')
  const { status } = await portal.visit(TARGET, { as, headers, form })
  const { status: after } = await portal.visit('GET /portal/account', { as })
  return { status, isSignedIn: after === 200 }
}

describe('a form', () => {
  it('is accepted from a page of the portal', async () => {
    expect(await submit({})).toEqual(ACCEPTED)
    expect(await submit({ 'Sec-Fetch-Site': 'same-origin', Origin: 'null' })).toEqual(ACCEPTED)
  })

  it.each([
    ['another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another host of the domain', { 'Sec-Fetch-Site': 'same-site' }],
    ['another origin', { Origin: 'https://evil.example' }],
    ['a hidden origin', { Origin: 'null' }],
  ])('is refused from %s, even with its token', async (_source, headers) => {
    expect(await submit(headers)).toEqual(REFUSED)
  })

  it('is refused without its token, or with that of another session', async () => {
    expect(await submit({}, { form_token: '' })).toEqual(REFUSED)
    const { text } = await portal.visit('GET /portal/account', {
      as: await portal.addMember('viewer'),
    })
    const foreign = /name="form_token" value="([^"]+)"/.exec(text)![1]!
    expect(await submit({}, { form_token: foreign })).toEqual(REFUSED)
  })

  it('for sign-in is refused from other sites too', async () => {
    const { email, password } = await portal.addMember('viewer')
    const answer = await portal.visit('POST /portal/sign-in', {
      form: { name: email, password },
      headers: { Origin: 'https://evil.example' },
    })
    expect(answer).toMatchObject({ status: 403, sessionToken: undefined })
  })

  it('is refused when it is larger than any form of the portal', async () => {
    const as = await portal.addMember('viewer')
    const answer = await portal.visit(TARGET, { as, form: { filler: 'x'.repeat(70_000) } })
    expect(answer.status).toBe(413)
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/)
  })
})
