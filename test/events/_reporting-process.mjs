/**
 * Stores batches of events as the server does, and kills itself with SIGKILL just before one of its queries. Runs the
 * compiled service. Arguments: the data folder and the number of that query. Input: settings of PostgreSQL,
 * scope, time and batches as JSON.
 * Output: one line with the number of each batch that was acknowledged.
 */
import fs from 'node:fs'
import { openDatabase } from '../../dist/database/open-database.js'
import { storeEvents } from '../../dist/events/store-events.js'

const [dataDir, fatalQuery] = process.argv.slice(2)
const { postgres, scope, now, batches } = JSON.parse(fs.readFileSync(0, 'utf8'))
let queries = 0
const killer = {
  transformQuery({ node }) {
    if (++queries === Number(fatalQuery)) process.kill(process.pid, 'SIGKILL')
    return node
  },
  transformResult: ({ result }) => Promise.resolve(result),
}
const db = (await openDatabase(dataDir, { postgres })).withPlugin(killer)

for (const [number, records] of batches.entries()) {
  await storeEvents(db, { scope, records }, now)
  // Written synchronously, so that no acknowledgement is lost in a buffer.
  fs.writeSync(1, `${number}\n`)
}
await db.destroy()
