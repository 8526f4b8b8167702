import { spawnSync } from 'node:child_process'
import fs from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { ConfigError } from '../../src/config/config-error.js'
import { readConfig } from '../../src/config/config.js'
import { failed, ok, warning, type Check } from '../../src/doctor/check.js'
import { doctorCommand } from '../../src/cli/doctor-command.js'
import { StorageError } from '../../src/database/storage-failure.js'
import { OperatorError } from '../../src/core/operator-error.js'

async function examine(checks: Check[], args: string[] = [], read = () => readConfig({})) {
  let printed = ''
  const print = (text: string) => void (printed += text)
  const command = doctorCommand(read, { out: print, error: print }, () => checks)
  const outcome = await command.parseAsync(args, { from: 'user' }).then(
    () => 'passed',
    (error: unknown) => error,
  )
  return { printed, outcome }
}

const fine: Check = { name: 'fine', run: () => ok('as it is') }
const broken: Check = { name: 'broken', run: () => failed('out of order', 'Fix it.') }

describe('the doctor command', () => {
  it('says how to fix each problem, and fails if there is one', async () => {
    const { printed, outcome } = await examine([fine, broken])
    expect(printed).toContain('✓ fine: as it is')
    expect(printed).toContain('✗ broken: out of order\n  → Fix it.')
    expect(outcome).toBeInstanceOf(OperatorError)
  })

  it('does not fail for a warning', async () => {
    const slow: Check = { name: 'slow', run: () => warning('slow', 'Hurry.') }
    expect((await examine([slow])).outcome).toBe('passed')
  })

  it('prints JSON for scripts', async () => {
    const { printed } = await examine([broken], ['--json'])
    expect(JSON.parse(printed)).toEqual([
      { check: 'configuration', status: 'ok', found: 'valid' },
      { check: 'broken', status: 'failed', found: 'out of order', mend: 'Fix it.' },
    ])
  })

  it('continues after a check that cannot run', async () => {
    const thrower: Check = { name: 'thrower', run: () => Promise.reject(new Error('no answer')) }
    const { printed } = await examine([thrower, fine])
    expect(printed).toContain('no answer')
    expect(printed).toContain('✓ fine')
  })

  it('says of a check that needs the database why it cannot be used', async () => {
    const cause = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    const error = new StorageError('unreachable', { cause })
    const { printed } = await examine([{ name: 'audit log', run: () => Promise.reject(error) }])
    expect(printed).toContain(
      '✗ audit log: it needs the database, which cannot be used (ECONNREFUSED)',
    )
  })

  it('reports an invalid configuration and runs no further checks', async () => {
    const { printed, outcome } = await examine([fine], [], () => {
      throw new ConfigError('PORT: too big')
    })
    expect(printed).toContain('PORT: too big')
    expect(printed).not.toContain('fine')
    expect(outcome).toBeInstanceOf(OperatorError)
  })

  it('exits with 1 and without a stack trace if the configuration is invalid', async () => {
    const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'doctor-'))
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['dist/main.js', 'admin', 'doctor'],
      { env: { ...process.env, DATA_DIR: dataDir, PORT: '99999' }, encoding: 'utf8' },
    )
    await fs.rm(dataDir, { recursive: true })
    expect([status, stdout]).toEqual([1, expect.stringContaining('✗ configuration')])
    expect(stdout + stderr).not.toMatch(/^\s+at /m)
  })
})
