import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Database } from '../../src/database/open-database.js'
import { runAlone } from '../../src/database/run-alone.js'
import { describeOnPostgres, dropTestDatabase, openTestDatabase } from '../_database.js'

describeOnPostgres('work that servers share', () => {
  let dataDir: string
  let servers: Database[]
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'run-alone-'))
    servers = [await openTestDatabase(dataDir), await openTestDatabase(dataDir)]
  })
  afterEach(async () => {
    for (const server of servers) await server.destroy()
    await dropTestDatabase(dataDir)
    await rm(dataDir, { recursive: true })
  })

  const run = (server: number, work: () => Promise<string>) =>
    runAlone(servers[server]!, 'sweep', work)
  const second = () => Promise.resolve('second')

  it('is done by one of them at a time, and the others go on without it', async () => {
    let end = () => {}
    let begin = () => {}
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const first = run(0, () => {
      begin()
      return new Promise((resolve) => (end = () => resolve('first')))
    })
    await begun
    expect(await run(1, second)).toBeUndefined()
    expect(await runAlone(servers[1]!, 'purge', second)).toBe('second')
    end()
    expect(await first).toBe('first')
    expect(await run(1, second)).toBe('second')
  })

  it('can be done by another one after it failed', async () => {
    await expect(run(0, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(await run(1, second)).toBe('second')
  })
})
