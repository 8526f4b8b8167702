import { RawNode, type KyselyPlugin } from 'kysely'
import { storeEvents } from '../../src/events/store-events.js'
import { LIVE, NOW, openEventStore, sent, type EventStore } from './_event-store.js'

let store: EventStore

beforeEach(async () => {
  store = await openEventStore()
})

afterEach(() => store.remove())

/** Records for each writing query whether its commit will wait for the disk. */
function watchWrites(writes: { durable: boolean }[]): KyselyPlugin {
  let durable = false
  return {
    transformQuery({ node }) {
      const text = RawNode.is(node) ? node.sqlFragments.join('?').trim() : node.kind
      if (/^pragma synchronous/i.test(text)) durable = /full/i.test(text)
      else if (/set_config\('synchronous_commit', 'on', true\)/.test(text)) durable = true
      else if (/^(?:insert|update|delete)/i.test(text)) writes.push({ durable })
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  }
}

// This checks that every write runs under `synchronous = full`, or `synchronous_commit = on` on PostgreSQL; the database tests check what that setting does.
describe('storeEvents', () => {
  it('makes an acknowledged batch survive a power cut', async () => {
    await store.openersCall('req_1', ['open_question'])
    const writes: { durable: boolean }[] = []
    const db = store.db.withPlugin(watchWrites(writes))
    await storeEvents(db, { scope: LIVE, records: [sent({ opener: 0 })] }, NOW)
    expect(writes.length).toBeGreaterThan(5)
    expect(writes.every((write) => write.durable)).toBe(true)
  })
})
