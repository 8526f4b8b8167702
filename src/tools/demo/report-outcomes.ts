import { randomUUID } from 'node:crypto'
import { hashEndUserId, type EventKind, type ProfileClient } from 'profile-intelligence-client'
import { openDatabase } from '../../database/open-database.js'
import { replyRateByStyle } from '../../events/reply-rate-by-style.js'
import { PEOPLE, type Person } from './people.js'
import { accent, dim } from './terminal.js'

/**
 * Reports that Sam sent his first opener and got a reply, and that Maya sent hers; then prints the resulting reply rates.
 * @param requestIds - of the openers for Maya and for June
 */
export async function reportOutcomes(
  { client, dataDir }: { client: ProfileClient; dataDir: string },
  requestIds: { toMaya: string; toJune: string },
): Promise<void> {
  const { sam, maya } = PEOPLE
  const records = [
    await createRecord('opener_sent', sam, requestIds.toMaya),
    await createRecord('conversation_reply', sam, requestIds.toMaya),
    await createRecord('opener_sent', maya, requestIds.toJune),
  ]
  const first = await client.reportEvents(records)
  const again = await client.reportEvents(records)
  console.log(
    `\nSent twice, counted once: ${accent(`${first.accepted} accepted`)}, then ${accent(`${again.duplicates} duplicates`)}.`,
  )
  await printReplyRates(dataDir)
}

async function createRecord(event: EventKind, sender: Person, requestId: string) {
  return {
    ts: new Date().toISOString(),
    end_user_id: await hashEndUserId(sender.id),
    event,
    idempotency_key: randomUUID(),
    context: { originating_request_id: requestId, opener_index: 0 },
  }
}

/** Prints today's reply rates of the test environment, earlier demos included, as the portal shows them. */
async function printReplyRates(dataDir: string): Promise<void> {
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

function percent(fraction: number): string {
  return `${Math.round(fraction * 100)} %`
}
