import http from 'node:http'
import { createPasswordReset } from '../../src/accounts/password-reset.js'
import { startPortal, type Portal } from './_portal.js'

const PUBLIC_URL = 'https://profiles.example'

let portal: Portal
beforeAll(async () => {
  portal = await startPortal({ env: { PUBLIC_URL } })
})
afterAll(() => portal.close())

interface Sent {
  path: string
  host: string
  form?: Record<string, string>
}

/** Sends a request with a `Host` of its own, as a proxy or an attacker does. */
async function send({ path, host, form }: Sent, to = portal) {
  const { port } = new URL(to.baseUrl)
  const body = form && String(new URLSearchParams(form))
  const headers = {
    Host: host,
    ...(body !== undefined && {
      Origin: PUBLIC_URL,
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': body.length,
    }),
  }
  const method = body === undefined ? 'GET' : 'POST'
  return new Promise<{ status: number | undefined; cookies: string[]; text: string }>(
    (resolve, reject) => {
      const request = http.request(
        { host: '127.0.0.1', port, path, method, headers },
        (response) => {
          let text = ''
          response.on('data', (chunk: Buffer) => (text += chunk.toString()))
          response.on('end', () =>
            resolve({
              status: response.statusCode,
              cookies: response.headers['set-cookie'] ?? [],
              text,
            }),
          )
        },
      )
      request.on('error', reject)
      request.end(body)
    },
  )
}

describe('with an https PUBLIC_URL', () => {
  it('sets secure cookies bound to the host, whatever the proxy says', async () => {
    const { email, password, accountId } = await portal.addMember('viewer')
    const host = 'profiles.example'
    const signedIn = await send({
      path: '/portal/sign-in',
      host,
      form: { name: email, password },
    })
    expect(signedIn.status).toBe(303)
    const act = { actor: 'cli:tester', now: portal.context.clock() }
    const { token } = await createPasswordReset(portal.context, accountId, act)
    const form = { token, password: 'green stapler on mars' }
    const reset = await send({ path: '/portal/reset/password', host, form })
    const cookies = [...signedIn.cookies, ...reset.cookies]
    expect(cookies.length).toBe(4)
    for (const cookie of cookies) {
      expect(cookie).toMatch(
        /^__Host-portal(?:-browser)?=.*; Path=\/;.* HttpOnly; Secure; SameSite=Lax$/,
      )
    }
  })

  it('refuses the portal under another host, and names the right address', async () => {
    for (const path of ['/portal', '/portal/sign-in', '/portal/assets/portal.css']) {
      const answer = await send({ path, host: 'evil.example' })
      expect(answer.status).toBe(421)
      expect(answer.text).toContain('Open https://profiles.example/portal.')
    }
    const form = { name: 'somebody', password: 'green stapler on mars' }
    const posted = await send({ path: '/portal/sign-in', host: 'evil.example', form })
    expect(posted.status).toBe(421)
  })

  it('serves the portal under its own host with and without a port', async () => {
    for (const host of ['profiles.example', 'PROFILES.example:443', 'profiles.example:8443']) {
      expect((await send({ path: '/portal/sign-in', host })).status).toBe(200)
    }
  })

  it.each(['/healthz', '/readyz', '/metrics', '/v1/events', '/openapi.json'])(
    'serves %s under any host, since probes use addresses',
    async (path) => {
      const own = await send({ path, host: 'profiles.example' })
      const other = await send({ path, host: '10.0.0.7:8080' })
      expect(other.status).toBe(own.status)
      expect(other.status).not.toBe(421)
    },
  )
})

describe('without a PUBLIC_URL', () => {
  let unnamed: Portal
  beforeAll(async () => {
    unnamed = await startPortal()
  })
  afterAll(() => unnamed.close())

  it.each(['#', '[::1', 'a b'])('refuses a Host header that is no host: "%s"', async (host) => {
    const { status, text } = await send({ path: '/portal/sign-in', host }, unnamed)
    expect(status).toBe(400)
    expect(text).not.toContain('went wrong')
  })

  it.each(['localhost', '[::1]:8080', 'profiles.example:443'])('answers under %s', async (host) => {
    expect(await send({ path: '/portal/sign-in', host }, unnamed)).toMatchObject({ status: 200 })
  })
})
