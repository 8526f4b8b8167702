import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { Writable } from 'node:stream'
import { adminCommand } from '../../src/cli/admin-command.js'
import { readConfig } from '../../src/config/config.js'
import { UnfinishedTransferError } from '../../src/database/postgres/transfer-state.js'
import { describeOnPostgres } from '../_database.js'
import { closeOpened, describeBoth } from './_both-databases.js'
import { createInstallation, removeTemplates, type Installation } from './_installation.js'

let installation: Installation

afterAll(removeTemplates)

describeOnPostgres('the command', () => {
  afterEach(async () => {
    await closeOpened()
    await installation.remove()
  })

  const start = () =>
    spawn(process.execPath, ['dist/main.js', 'admin', 'migrate-to-postgres', '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        ENV_FILE: '',
        DATA_DIR: installation.dataDir,
        DATABASE_URL: installation.postgres.url,
        SERVER_SECRET_FILE: path.join(installation.dataDir, 'server-secret'),
      },
    })

  it('prints what was compared, and later that everything was moved already', async () => {
    installation = await createInstallation({ eventCount: 100 })
    let printed = ''
    const terminal = {
      out: (text: string) => void (printed += text),
      error: () => {},
      progress: new Writable({ write: (_chunk, _encoding, done) => done() }),
    }
    const env = {
      ENV_FILE: '',
      DATA_DIR: installation.dataDir,
      DATABASE_URL: installation.postgres.url,
    }
    const secretFile = path.join(installation.dataDir, 'server-secret')
    const config = readConfig({ ...env, SERVER_SECRET_FILE: secretFile })
    const run = () =>
      adminCommand(config, terminal).parseAsync(['migrate-to-postgres'], { from: 'user' })
    await run()
    expect(printed).toMatch(/quota_usage .* admitted \d+/)
    expect(printed).toContain('All are equal.')
    expect(printed).toContain('The chain of the audit log holds in both')
    printed = ''
    await run()
    expect(printed).toMatch(/^The installation was already moved on .*Z\. Nothing was changed\.$/m)
  })

  it('continues after SIGKILL, and shows how far it is', async () => {
    installation = await createInstallation({ eventCount: 20_000 })
    const killed = start()
    let lines = ''
    killed.stderr.setEncoding('utf8').on('data', (text: string) => {
      lines += text
      if (/^moving events/m.test(lines)) killed.kill('SIGKILL')
    })
    const [, signal] = (await once(killed, 'exit')) as [number | null, string | null]
    expect(signal).toBe('SIGKILL')
    expect(lines).toMatch(/^moving .* rows\): \d0 %, about \d+ (?:s|min) left$/m)
    await expect(installation.openTarget()).rejects.toBeInstanceOf(UnfinishedTransferError)

    const again = start()
    let printed = ''
    again.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text))
    expect(await once(again, 'exit')).toEqual([0, null])
    expect(JSON.parse(printed)).toMatchObject({ outcome: 'continued', audit: { broken_at: null } })
    const { source, target } = await describeBoth(installation)
    expect(target).toEqual(source)
  })
})
