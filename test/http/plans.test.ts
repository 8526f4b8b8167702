import { readFile, writeFile } from 'node:fs/promises'
import { readConfig } from '../../src/config/config.js'
import { DEFAULT_PLANS } from '../../src/metering/default-plans.js'
import { PlansError } from '../../src/metering/plans.js'
import type { PlansFile } from '../../src/metering/plans-file.js'
import { createPlansFile, type PlansFile as PlansFixture } from './_plans-file.js'
import { startService, type Service } from './_service.js'

let service: Service
let plans: PlansFixture

beforeEach(async () => {
  plans = await createPlansFile({})
  service = await startService({ env: { PLANS_FILE: plans.file } })
})
afterEach(async () => {
  await service.close()
  await plans.remove()
})

const plansFile = () => plans.file

/** Adds a plan and moves every organisation to it, as an operator does beside the running service. */
async function moveToNewPlan() {
  const content = JSON.parse(await readFile(plansFile(), 'utf8')) as PlansFile
  content.plans.bespoke = DEFAULT_PLANS.plans.growth!
  await writeFile(plansFile(), JSON.stringify(content))
  await service.context.db.updateTable('organizations').set({ plan: 'bespoke' }).execute()
}

const reload = () =>
  service.context.reloadPlans(
    readConfig({
      ENV_FILE: '',
      DATA_DIR: service.context.config.dataDir,
      PLANS_FILE: plansFile(),
    }),
  )

describe('a plan added while the service runs', () => {
  it('works after a reload; until then calls fail with advice', async () => {
    await moveToNewPlan()
    const before = await service.post('/v1/events', [])
    expect(before).toMatchObject({ status: 500, body: { error: 'internal_error' } })
    expect(before.body.message).toContain('reload')

    await reload()
    const after = await service.post('/v1/events', [])
    expect(after.headers.get('x-service-plan')).toBe('bespoke')
    expect(after.status).toBe(400)
  })

  it('is not used if the file is invalid or lacks a plan in use', async () => {
    await writeFile(plansFile(), '{"plans":{}')
    await expect(reload()).rejects.toBeInstanceOf(PlansError)
    await writeFile(plansFile(), JSON.stringify({ plans: { tiny: DEFAULT_PLANS.plans.free } }))
    await expect(reload()).rejects.toThrow('missing in the plans file')
    expect([...service.context.plans.keys()]).toEqual(['free', 'growth', 'scale'])
  })
})
