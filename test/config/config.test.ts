import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { readConfig } from '../../src/config/config.js'

const read = (env: Record<string, string>) => readConfig({ ENV_FILE: '', ...env })

describe('the configuration', () => {
  it.each([
    ['REQUEST_TIMEOUT_MS', 2 ** 31 - 1],
    ['SHUTDOWN_GRACE_MS', 2 ** 31 - 1],
    ['PHOTO_FETCH_TIMEOUT_MS', 2 ** 31 - 1],
    ['IDLE_UNLOAD_SECONDS', 2_147_483],
    ['PHOTO_CACHE_TTL_SECONDS', 2_147_483],
  ])('limits %s to the longest delay of a timer', (name, most) => {
    expect(() => read({ [name]: String(most) })).not.toThrow()
    expect(() => read({ [name]: String(most + 1) })).toThrow(`${name}: must be at most ${most}`)
  })

  it('reports all problems at once, including those between variables', () => {
    const wrong = { PORT: 'http', REQUEST_TIMEOUT_MS: '1', OIDC_ISSUER: 'https://id.example.com' }
    for (const name of Object.keys(wrong)) expect(() => read(wrong)).toThrow(`  ${name}: `)
  })

  it('requires both issuer and client id of an identity provider', () => {
    const provider = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'portal' }
    expect(read(provider).identityProvider).toMatchObject({ clientId: 'portal' })
    expect(read({}).identityProvider).toBeUndefined()
    for (const [name, value] of Object.entries(provider)) {
      expect(() => read({ [name]: value })).toThrow('OIDC_ISSUER: requires OIDC_CLIENT_ID')
    }
  })

  it('uses SQLite unless it has the URL of a PostgreSQL database, also from a file', async () => {
    expect(read({}).postgres).toBeUndefined()
    const url = 'postgres://user:secret@db.example/service'
    const direct = 'postgres://user:secret@direct.example/service'
    const expected = { url, directUrl: url, poolSize: 10, migrations: 'start' }
    expect(read({ DATABASE_URL: url }).postgres).toEqual(expected)
    expect(read({ DATABASE_URL: url, DATABASE_DIRECT_URL: direct }).postgres?.directUrl).toBe(
      direct,
    )
    const folder = await mkdtemp(path.join(os.tmpdir(), 'profile-service-config-'))
    const file = path.join(folder, 'url')
    await writeFile(file, `${url}\n`)
    expect(read({ DATABASE_URL_FILE: file }).postgres).toEqual(expected)
    await writeFile(file, 'mysql://user:secret@db.example/service')
    expect(() => read({ DATABASE_URL_FILE: file })).toThrow('DATABASE_URL_FILE')
    expect(() => read({ DATABASE_URL_FILE: file })).not.toThrow('secret')
    await rm(folder, { recursive: true })
  })

  it('has no migrations to run apart from the start on SQLite', () => {
    for (const MIGRATIONS of ['only', 'never']) {
      expect(() => read({ MIGRATIONS })).toThrow('DATABASE_URL')
    }
  })

  it('reads variables that the environment does not set from the file', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'profile-service-config-'))
    const file = path.join(folder, 'service.env')
    await writeFile(file, 'HOST=10.0.0.1\nPORT=1\nLLM_PACK=\n')
    const config = read({ ENV_FILE: file, PORT: '2', HOST: '' })
    await rm(folder, { recursive: true })
    expect(config).toMatchObject({ host: '10.0.0.1', port: 2 })
    expect(config.packs.llm).toBe(read({}).packs.llm)
    expect(() => read({ ENV_FILE: file })).toThrow('does not exist')
  })
})
