import { dayOf } from '../../src/events/calendar.js'
import { computeFit } from '../../src/learning/compute-fit.js'
import { DEFAULT_SETTINGS } from '../../src/learning/learning-settings.js'
import { startFitThread, type FitThread } from '../../src/learning/start-fit-thread.js'
import { LIVE, NOW, openEventStore, TEST, type EventStore } from '../events/_event-store.js'
import { isOnPostgres } from '../_database.js'
import { addEvidence } from './_stored-evidence.js'

const request = { scope: LIVE, settings: DEFAULT_SETTINGS, today: dayOf(NOW) }

/** Code of PostgreSQL. */
const UNDEFINED_TABLE = '42P01'

let store: EventStore
let thread: FitThread

beforeEach(async () => {
  store = await openEventStore()
  const { dataDir, postgres } = store
  thread = startFitThread({ dataDir, postgres, isPooled: false })
})
afterEach(async () => {
  await thread.close()
  await store.remove()
})

describe('the thread that computes what was learnt', () => {
  it('comes to the same as this thread, for several environments at a time', async () => {
    await addEvidence(store.db, LIVE, [{ day: dayOf(NOW) - 4, sent: 500, replied: 100 }])
    const requests = [request, { ...request, scope: TEST }]
    const fits = await Promise.all(requests.map((one) => thread.fit(one)))
    expect(fits[0]!.posterior.sent).toBe(500)
    for (const [index, { posterior }] of fits.entries()) {
      const here = await computeFit(store.db, { ...requests[index]!, isPooled: false })
      expect([...posterior.mean]).toEqual([...here.posterior.mean])
      expect([...posterior.factor]).toEqual([...here.posterior.factor])
    }
  })

  it('passes failures on and goes on after them', async () => {
    await store.db.schema.alterTable('learning_evidence').renameTo('moved').execute()
    await expect(thread.fit(request)).rejects.toMatchObject({
      code: isOnPostgres ? UNDEFINED_TABLE : 'SQLITE_ERROR',
    })
    await store.db.schema.alterTable('moved').renameTo('learning_evidence').execute()
    expect((await thread.fit(request)).posterior.sent).toBe(0)
  })

  it('leaves nobody waiting when it ends, and starts again with the next request', async () => {
    const waiting = thread.fit(request)
    await thread.close()
    await expect(waiting).rejects.toThrow('ended')
    expect((await thread.fit(request)).posterior.sent).toBe(0)
  })
})
