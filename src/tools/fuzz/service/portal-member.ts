import { execFileSync } from 'node:child_process'
import path from 'node:path'
import process from 'node:process'
import { randomUUID } from 'node:crypto'
import { PROJECT_FOLDER } from '../../project-folder.js'
import type { FuzzedService } from './fuzzed-service.js'

const ORGANIZATION = 'First organisation'

/** An owner who is signed in to the portal. */
export interface PortalMember {
  cookie: string
  formToken: string
}

/** Invites an owner by the command line of the service, and signs them in. */
export async function joinPortal({
  send,
  baseUrl,
  dataDir,
}: Pick<FuzzedService, 'send' | 'baseUrl' | 'dataDir'>): Promise<PortalMember> {
  const entry = path.join(PROJECT_FOLDER, 'dist', 'main.js')
  const words = ['admin', 'account', 'invite', '--role', 'owner', '--organization', ORGANIZATION]
  const output = execFileSync(process.execPath, [entry, ...words, '--json'], {
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: dataDir },
  })
  const { link } = JSON.parse(output) as { link: string }
  const form = new URLSearchParams({
    // The secret of the link is in its fragment, which browsers do not send.
    token: new URL(link).hash.slice(1),
    name: 'owner',
    password: randomUUID(),
  })
  const joined = await send({
    path: '/portal/invitation/new-account',
    headers: { Origin: baseUrl, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: String(form),
  })
  const cookie = /portal=[^;]+/.exec(joined.headers['set-cookie']?.[0] ?? '')?.[0]
  if (cookie === undefined) throw new Error(`The portal did not accept the owner: ${joined.status}`)
  const page = await send({ method: 'GET', path: '/portal/account', headers: { Cookie: cookie } })
  const formToken = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1]
  if (formToken === undefined) throw new Error('The portal shows no form to its owner.')
  return { cookie, formToken }
}
