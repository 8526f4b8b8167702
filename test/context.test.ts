import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { readConfig } from '../src/config/config.js'
import { openContext, type ContextOverrides } from '../src/context.js'
import { databaseEnvironment, dropTestDatabase } from './_database.js'
import { createFakeModels } from './http/_fake-models.js'

describe('the context', () => {
  let dataDir: string
  beforeEach(async () => {
    dataDir = await mkdtemp(path.join(os.tmpdir(), 'profile-service-context-'))
  })
  afterEach(async () => {
    await dropTestDatabase(dataDir)
    await rm(dataDir, { recursive: true })
  })

  /** Fails while another has the data folder. */
  const open = async (overrides: ContextOverrides = {}, given = {}) => {
    const env = { ENV_FILE: '', LOG_LEVEL: 'silent', DATA_DIR: dataDir, ...given }
    const config = readConfig({ ...env, ...(await databaseEnvironment(dataDir)) })
    return openContext(config, { models: await createFakeModels(), ...overrides })
  }

  it('closes what it has opened when a later part cannot be', async () => {
    const plans = path.join(dataDir, 'plans.json')
    await writeFile(plans, 'no JSON')
    await expect(open({}, { PLANS_FILE: plans })).rejects.toThrow(plans)
    await rm(plans)
    const context = await open()
    await context.close()
  })

  it('closes everything though one part fails to, and tells the failure', async () => {
    const failure = new Error('a worker does not end')
    const models = { ...(await createFakeModels()), close: () => Promise.reject(failure) }
    const context = await open({ models })
    await expect(context.close()).rejects.toBe(failure)
    const next = await open()
    await next.close()
  })

  it('closes each part once', async () => {
    let closed = 0
    const models = { ...(await createFakeModels()), close: async () => void closed++ }
    const context = await open({ models })
    await context.close()
    await context.close()
    expect(closed).toBe(1)
  })
})
