import { randomUUID } from 'node:crypto'
import { hashEndUserId } from '../../client/dist/index.js'
import { openDatabase } from '../../dist/database/open-database.js'
import { replyRateByStyle } from '../../dist/events/reply-rate-by-style.js'
import { PEOPLE } from './people.js'
import { accent, dim } from './terminal.js'

/**
 * Sam sends his first opener and gets a reply, Maya sends hers and waits; then the rates that come of it.
 * @param {{ client: import('../../client/dist/index.js').ProfileClient, dataDir: string }} service
 * @param {{ toMaya: string, toJune: string }} requestIds - of Sam's openers and of Maya's
 */
export async function reportOutcomes({ client, dataDir }, { toMaya, toJune }) {
  const record = async (
    /** @type {'opener_sent' | 'conversation_reply'} */ event,
    /** @type {import('./people.js').Person} */ sender,
    /** @type {string} */ originatingRequestId,
  ) => ({
    ts: new Date().toISOString(),
    end_user_id: await hashEndUserId(sender.id),
    event,
    idempotency_key: randomUUID(),
    context: { originating_request_id: originatingRequestId, opener_index: 0 },
  })
  const records = [
    await record('opener_sent', PEOPLE.sam, toMaya),
    await record('conversation_reply', PEOPLE.sam, toMaya),
    await record('opener_sent', PEOPLE.maya, toJune),
  ]
  const first = await client.reportEvents(records)
  const again = await client.reportEvents(records)
  console.log(
    `\nSent twice, counted once: ${accent(`${first.accepted} accepted`)}, then ${accent(`${again.duplicates} duplicates`)}.`,
  )
  await showReplyRates(dataDir)
}

/** What the portal will show, from the database of the test environment; demo runs of today included. */
async function showReplyRates(/** @type {string} */ dataDir) {
  const db = await openDatabase(dataDir)
  try {
    const { id } = await db
      .selectFrom('organizations')
      .select('id')
      .orderBy('created_at')
      .executeTakeFirstOrThrow()
    const now = Date.now()
    const rates = await replyRateByStyle(db, {
      organizationId: id,
      environment: 'test',
      from: now,
      to: now + 1,
    })
    console.log(dim('\n  style                 sent  replied  95 % interval of the reply rate'))
    for (const { style, sent, replied, interval } of rates) {
      const range = interval ? `${percent(interval.low)} to ${percent(interval.high)}` : '–'
      console.log(
        `  ${style.padEnd(20)} ${String(sent).padStart(5)} ${String(replied).padStart(8)}  ${range}`,
      )
    }
  } finally {
    await db.destroy()
  }
}

function percent(/** @type {number} */ share) {
  return `${Math.round(share * 100)} %`
}
