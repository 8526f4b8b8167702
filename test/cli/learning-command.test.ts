import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { CommanderError } from 'commander'
import { adminCommand } from '../../src/cli/admin-command.js'
import { readConfig } from '../../src/config/config.js'
import { dayOf } from '../../src/events/calendar.js'
import { readLearningSettings } from '../../src/learning/read-settings.js'
import { databaseEnvironment, dropTestDatabase, openTestDatabase } from '../_database.js'
import { addBuckets, addEvidence } from '../learning/_stored-evidence.js'

let dataDir: string
let organizationId: string

beforeEach(async () => {
  dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'learning-admin-'))
  const created = await json('org', 'create', 'Acme Dating', '--plan', 'growth')
  organizationId = created.organization_id as string
})
afterEach(async () => {
  await dropTestDatabase(dataDir)
  await fs.rm(dataDir, { recursive: true })
})

async function admin(args: string[], { typed = '', env = {} } = {}): Promise<string> {
  let printed = ''
  const print = (text: string) => void (printed += text)
  const config = readConfig({
    ENV_FILE: '',
    DATA_DIR: dataDir,
    ...(await databaseEnvironment(dataDir)),
    ...env,
  })
  const terminal = { out: print, error: () => {}, ask: async () => typed }
  await adminCommand(config, terminal).parseAsync(args, { from: 'user' })
  return printed
}

async function json(...args: string[]) {
  return JSON.parse(await admin([...args, '--json'])) as Record<string, unknown>
}

const SCOPE = ['--organization', 'Acme Dating', '--environment', 'live']

const learning = (command: string, ...options: string[]) =>
  json('learning', command, ...SCOPE, ...options)

async function withDatabase<T>(
  work: (db: Awaited<ReturnType<typeof openTestDatabase>>) => Promise<T>,
) {
  const db = await openTestDatabase(dataDir)
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

async function addOpeners(): Promise<void> {
  const day = dayOf(Date.now()) - 10
  const live = { organizationId, environment: 'live' } as const
  await withDatabase(async (db) => {
    await addEvidence(db, live, [{ day, sent: 30, replied: 12 }])
    await addBuckets(db, live, [
      { day, arm: 'learned', bucket: 90, sent: 20, replied: 10 },
      { day, arm: 'control', bucket: 3, sent: 10, replied: 2 },
    ])
  })
}

describe('admin learning', () => {
  it('shows settings, evidence and reply rates of one environment', async () => {
    await addOpeners()
    expect(await learning('show')).toMatchObject({
      state: 'on',
      control_percent: 10,
      openers: 30,
      openers_needed: 200,
      reply_rate_learned: 0.5,
      reply_rate_control: 0.2,
      uplift: null,
    })
    const test = ['--organization', organizationId, '--environment', 'test']
    expect(await json('learning', 'show', ...test)).toMatchObject({ openers: 0 })
  })

  it('says when the operator forbids learning', async () => {
    const printed = await admin(['learning', 'show', ...SCOPE], { env: { LEARNING: 'false' } })
    expect(printed).toMatch(/^state +off \(LEARNING=false\)$/m)
  })

  it.each([
    ['pause', 'paused'],
    ['off', 'off'],
  ])('%s and resume change the state', async (command, state) => {
    expect(await learning(command)).toMatchObject({ state })
    expect(await learning('resume')).toMatchObject({ state: 'on' })
  })

  it('sets the control share and records it in the audit log', async () => {
    expect(await learning('set', '--control-percent', '25')).toMatchObject({ control_percent: 25 })
    const entries = JSON.parse(await admin(['audit', 'list', '--json'])) as { action: string }[]
    expect(entries[0]).toMatchObject({ action: 'learning.control_share_changed' })
  })

  it.each(['4', '51', 'ten'])('refuses a control share of %s', async (percent) => {
    const refused = learning('set', '--control-percent', percent)
    await expect(refused).rejects.toBeInstanceOf(CommanderError)
  })

  it('resets after the organisation was typed again', async () => {
    await addOpeners()
    const reset = ['learning', 'reset', ...SCOPE]
    await expect(admin(reset, { typed: 'Another' })).rejects.toThrow('Nothing was reset')
    expect(await learning('show')).toMatchObject({ openers: 30 })
    await admin(reset, { typed: 'Acme Dating' })
    expect(await learning('show')).toMatchObject({ openers: 0, reply_rate_learned: null })
  })

  it('recomputes the counts and prints how many were wrong', async () => {
    await addOpeners()
    // There are no calls behind these counts.
    expect(await learning('recompute')).toEqual({ calls: 0, corrected: 3 })
    expect(await learning('show')).toMatchObject({ openers: 0 })
  })

  it('refuses an unknown organisation, and needs both options', async () => {
    const unknown = ['learning', 'show', '--organization', 'Nobody', '--environment', 'live']
    await expect(admin(unknown)).rejects.toThrow('no such organisation')
    const incomplete = admin(['learning', 'show', '--organization', 'Acme Dating'])
    await expect(incomplete).rejects.toBeInstanceOf(CommanderError)
    await withDatabase(async (db) => {
      const scope = { organizationId, environment: 'live' } as const
      expect(await readLearningSettings(db, scope)).toMatchObject({ state: 'on' })
    })
  })
})
