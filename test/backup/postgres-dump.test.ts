import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { describeOnPostgres, dropTestDatabase, postgresOf } from '../_database.js'
import { dataUrl } from '../http/_service.js'
import { startPortal, type Portal } from '../portal/_portal.js'

const run = promisify(execFile)
const IDEMPOTENT = { 'X-Idempotency-Key': '6f2c1c5e-6a54-4f6b-9d0f-0c9a2a0f7d11' }

describeOnPostgres('a dump of the database', () => {
  const closers: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  })

  async function start(env: Record<string, string> = {}): Promise<Portal> {
    const portal = await startPortal({ env })
    closers.push(() => portal.close())
    return portal
  }

  it('restores into an empty database, where keys, passwords and stored answers work', async () => {
    const original = await start()
    const owner = await original.addMember('owner')
    const user = { id: 'u', photos: [await dataUrl()], bio: 'I roast coffee.' }
    const call = async ({ baseUrl }: Portal) => {
      const response = await fetch(`${baseUrl}/v1/profile/infer-preferences`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${original.apiKey}`,
          'Content-Type': 'application/json',
          ...IDEMPOTENT,
        },
        body: JSON.stringify({ user }),
      })
      return { status: response.status, text: await response.text() }
    }
    const answer = await call(original)
    expect(answer.status).toBe(200)

    const folder = await mkdtemp(path.join(os.tmpdir(), 'postgres-dump-'))
    closers.push(async () => {
      await dropTestDatabase(folder)
      await rm(folder, { recursive: true })
    })
    const { url } = (await postgresOf(folder))!
    const { postgres, serverSecretFile } = original.context.config
    const file = path.join(folder, 'service.dump')
    await run('pg_dump', ['--format=custom', `--file=${file}`, postgres!.url])
    await run('pg_restore', ['--no-owner', '--single-transaction', `--dbname=${url}`, file])
    const restored = await start({ DATABASE_URL: url, SERVER_SECRET_FILE: serverSecretFile! })

    expect(await call(restored)).toEqual(answer)
    const signIn = { name: owner.email, password: owner.password }
    const visit = await restored.visit('POST /portal/sign-in', { form: signIn })
    expect([visit.status, visit.location]).toEqual([303, '/portal'])
    expect((await restored.visit('GET /portal', { as: owner })).status).toBe(200)
  })
})
