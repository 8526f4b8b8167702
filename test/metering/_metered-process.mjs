/**
 * Meters calls as the server does, with the compiled service, and kills itself before a given SQL statement. Arguments:
 * the data folder, the kind and number of that statement, and the settings of PostgreSQL as JSON unless the database is in
 * the folder. Input: the calls as JSON. Output: a JSON line for each answered call.
 */
import fs from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import pg from 'pg'
import { openDatabase } from '../../dist/database/open-database.js'
import { ServiceError } from '../../dist/core/service-error.js'
import { toServiceError } from '../../dist/core/to-service-error.js'
import { createIdempotency } from '../../dist/metering/idempotency.js'
import { beginCall } from '../../dist/metering/begin-call.js'
import { releaseAbandoned } from '../../dist/metering/release-abandoned.js'
import { openServerSecret } from '../../dist/organizations/server-secret.js'

const [dataDir, fatalKind, fatalNumber, postgres] = process.argv.slice(2)
const calls = JSON.parse(fs.readFileSync(0, 'utf8'))
let statementsOfThatKind = 0
const dieBefore = (statement) => {
  if (!statement.trimStart().startsWith(fatalKind)) return
  if (++statementsOfThatKind === Number(fatalNumber)) process.kill(process.pid, 'SIGKILL')
}
const statements = Object.getPrototypeOf(new BetterSqlite3(':memory:').prepare('select 1'))
for (const method of ['run', 'all']) {
  const original = statements[method]
  statements[method] = function (...parameters) {
    dieBefore(this.source)
    return original.apply(this, parameters)
  }
}
const query = Reflect.get(pg.Client.prototype, 'query')
pg.Client.prototype.query = function (text, ...rest) {
  dieBefore(typeof text === 'string' ? text : text.text)
  return query.call(this, text, ...rest)
}
const db = await openDatabase(dataDir, { postgres: postgres && JSON.parse(postgres) })
const secret = await openServerSecret(dataDir)
const clock = Date.now
const deps = { db, clock, idempotency: createIdempotency({ db, secret, clock }) }
await releaseAbandoned(db)

// Written synchronously, so that answers before the kill are not lost.
const answered = (call, outcome) =>
  fs.writeSync(1, `${JSON.stringify({ key: call.key, ...outcome })}\n`)

/** Does what the HTTP layer does around an execution. */
async function runMetered(request, execute) {
  const begun = await beginCall(deps, request)
  if ('replay' in begun) return begun.replay
  try {
    const answer = await execute()
    await begun.call.settle(answer, async () => {})
    return answer
  } catch (error) {
    await begun.call.release(error)
    throw error
  }
}

await Promise.all(
  calls.map(async (call) => {
    await delay(call.startMs)
    const leaving = new AbortController()
    const request = {
      scope: call.scope,
      limits: { hardCap: call.hardCap },
      idempotencyKey: call.key,
      bodyDigest: Buffer.from(call.key),
      deadline: clock() + 60_000,
      signal: leaving.signal,
    }
    const execute = async () => {
      await delay(call.workMs)
      if (call.ends === 'error') throw new ServiceError('model_unavailable', 'no')
      if (call.ends === 'abort') leaving.abort()
      return { body: `answer to ${call.key}`, headers: {} }
    }
    try {
      const answer = await runMetered(request, execute)
      answered(call, { status: 200, answer: answer.body })
    } catch (error) {
      answered(call, { status: leaving.signal.aborted ? 499 : toServiceError(error).status })
    }
  }),
)
await db.destroy()
