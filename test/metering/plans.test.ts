import fs from 'node:fs/promises'
import path from 'node:path'
import { CAPABILITIES, ENVIRONMENTS, type Caller } from '../../src/organizations/capability.js'
import { DEFAULT_PLANS } from '../../src/metering/default-plans.js'
import { createOrganization, setPlan } from '../../src/organizations/organization.js'
import { checkPlansInUse, limitsOf, PlansError, readPlans } from '../../src/metering/plans.js'
import { act, openStorage, type StorageFixture } from '../organizations/_storage.js'

let storage: StorageFixture
let plansFile: string

beforeEach(async () => {
  storage = await openStorage()
  plansFile = path.join(storage.dataDir, 'my-plans.json')
})
afterEach(() => storage.remove())

const free = DEFAULT_PLANS.plans.free
const caller: Caller = {
  organizationId: 'org_1',
  plan: 'free',
  environment: 'live',
  keyId: 'key_1',
  capabilities: CAPABILITIES,
}

async function readWritten(content: unknown) {
  await fs.writeFile(plansFile, JSON.stringify(content))
  return readPlans({ dataDir: storage.dataDir, plansFile })
}

describe('plans', () => {
  it('are free, growth and scale by default, in a file that the operator can edit', async () => {
    expect([...storage.plans.keys()]).toEqual(['free', 'growth', 'scale'])
    const file = path.join(storage.dataDir, 'plans.json')
    const content = JSON.parse(await fs.readFile(file, 'utf8')) as typeof DEFAULT_PLANS
    content.plans = { tiny: content.plans.free! }
    await fs.writeFile(file, JSON.stringify(content))
    const edited = await readPlans({ dataDir: storage.dataDir, plansFile: undefined })
    expect([...edited.keys()]).toEqual(['tiny'])
  })

  it('set limits for every environment and capability', async () => {
    const plans = await readWritten(DEFAULT_PLANS)
    for (const plan of plans.keys()) {
      for (const environment of ENVIRONMENTS) {
        for (const capability of CAPABILITIES) {
          const limits = limitsOf(plans, { ...caller, plan, environment }, capability)
          expect(limits.requestsPerMinute).toBeGreaterThan(0)
        }
      }
    }
    expect(limitsOf(plans, caller, 'conversation.openers')).toEqual({
      included: 500,
      softCap: 400,
      hardCap: 500,
      requestsPerMinute: 20,
      weight: 1,
    })
    expect(limitsOf(plans, { ...caller, plan: 'scale' }, 'events').weight).toBe(4)
    expect(limitsOf(plans, { ...caller, plan: 'growth' }, 'events').hardCap).toBeUndefined()
  })

  it('are refused with a list of all problems', async () => {
    const limits = { included: 20, soft_cap: 30, hard_cap: 10, requests_per_minute: 0 }
    const broken = {
      plans: {
        'Not A Name': free,
        odd: { test: { ...free?.test, events: limits, invented: limits }, live: {} },
      },
    }
    const message = await readWritten(broken).then(
      () => '',
      (error: unknown) => (error instanceof PlansError ? error.message : ''),
    )
    const parts = ['Not A Name', 'requests_per_minute', 'invented', 'live', 'match.evaluate']
    for (const part of parts) expect(message).toContain(part)
  })

  it('are refused when caps contradict each other', async () => {
    const contradictions = [
      { included: 10, soft_cap: 11, hard_cap: 10, requests_per_minute: 1 },
      { included: 11, soft_cap: 10, hard_cap: 10, requests_per_minute: 1 },
    ]
    for (const limits of contradictions) {
      const plans = { plans: { odd: { ...free, test: { ...free?.test, events: limits } } } }
      await expect(readWritten(plans)).rejects.toBeInstanceOf(PlansError)
    }
  })

  it('are refused when the configured file is missing or not JSON', async () => {
    const config = { dataDir: storage.dataDir, plansFile }
    await expect(readPlans(config)).rejects.toBeInstanceOf(PlansError)
    await fs.writeFile(plansFile, '{')
    await expect(readPlans(config)).rejects.toBeInstanceOf(PlansError)
  })

  it('must include every plan in use', async () => {
    await checkPlansInUse(storage.db, storage.plans)
    const others = await readWritten({ plans: { growth: DEFAULT_PLANS.plans.growth } })
    await expect(checkPlansInUse(storage.db, others)).rejects.toBeInstanceOf(PlansError)
  })
})

describe('organisations', () => {
  it('have unique names and an existing plan', async () => {
    const creation = (name: string, plan: string) =>
      createOrganization(storage, { name, plan }, act())
    await expect(creation('Example', 'free')).rejects.toMatchObject({ code: 'name_taken' })
    await expect(creation('Other', 'platinum')).rejects.toMatchObject({ code: 'not_found' })
    await expect(creation(' ', 'free')).rejects.toMatchObject({ code: 'invalid' })
    const change = setPlan(storage, { organizationId: 'org_none', plan: 'free' }, act())
    await expect(change).rejects.toMatchObject({ code: 'not_found' })
  })
})
