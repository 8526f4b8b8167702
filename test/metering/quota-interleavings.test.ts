import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import readline from 'node:readline'
import { createOrganization } from '../../src/organizations/organization.js'
import { countUsage, reserveQuota, settleQuota, type QuotaScope } from '../../src/metering/quota.js'
import { isOnPostgres, untilIdle } from '../_database.js'
import { act, openStorage, type StorageFixture } from '../organizations/_storage.js'
import { letLeasesLapse } from './_leases.js'

/** A round takes four times as long on SQLite. */
const ROUNDS = isOnPostgres ? 4 : 2
const INTERLEAVINGS_EACH = 50
const CALLS_EACH = 12
/** A process is killed before one of the first N statements of a kind. */
const FATAL_STATEMENTS = isOnPostgres
  ? { insert: 200, with: 200, update: 60, delete: 40, commit: 60 }
  : { insert: 300, update: 60, delete: 200, commit: 60 }

interface PlannedCall {
  key: string
  scope: QuotaScope
  hardCap: number
  startMs: number
  workMs: number
  ends: 'answer' | 'error' | 'abort'
}

interface Answered {
  key: string
  status: number
  answer?: string
}

let storage: StorageFixture

beforeAll(async () => {
  storage = await openStorage()
})
afterAll(() => storage.remove())

/** Deterministic random integers in [0, below). Source: Park and Miller's minimal standard. */
function seededRandom(seed: number): (below: number) => number {
  let state = seed * 7_919 + 1
  return (below) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

/** Plans calls of a new organisation that exceed what is left of its quota. */
async function planInterleaving(random: (below: number) => number): Promise<PlannedCall[]> {
  const organization = await createOrganization(
    storage,
    { name: `Interleaving ${randomUUID()}`, plan: 'free' },
    act(),
  )
  const scope: QuotaScope = {
    organizationId: organization.id,
    environment: 'live',
    capability: 'match.evaluate',
  }
  const usedBefore = random(3)
  const now = Date.now()
  for (let call = 0; call < usedBefore; call++) {
    const terms = { hardCap: undefined, now, deadline: now + 60_000 }
    const lease = await reserveQuota(storage.db, scope, terms)
    await storage.db.transaction().execute((transaction) => settleQuota(transaction, lease, now))
  }
  const hardCap = usedBefore + random(6)
  return Array.from({ length: CALLS_EACH }, () => ({
    key: randomUUID(),
    scope,
    hardCap,
    startMs: random(25),
    workMs: random(15),
    ends: (['answer', 'answer', 'answer', 'error', 'abort'] as const)[random(5)]!,
  }))
}

interface FatalStatement {
  kind: string
  number: number
}

/** Runs calls in a separate process, which is killed before that statement. */
async function runProcess(
  calls: readonly PlannedCall[],
  { kind, number }: FatalStatement,
): Promise<Answered[]> {
  const script = 'test/metering/_metered-process.mjs'
  const { dataDir, postgres } = storage
  const place = postgres ? [JSON.stringify(postgres)] : []
  const child = spawn(process.execPath, [script, dataDir, kind, String(number), ...place], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(JSON.stringify(calls))
  const answers: Answered[] = []
  for await (const line of readline.createInterface({ input: child.stdout })) {
    answers.push(JSON.parse(line) as Answered)
  }
  return answers
}

/**
 * Passes the time until others may take over from a process that died. The only server of SQLite does so at once when it
 * starts.
 */
async function letDeadlinesPass(): Promise<void> {
  if (!isOnPostgres) return
  await untilIdle(storage.db)
  await letLeasesLapse(storage.db)
  await storage.db
    .updateTable('idempotency_records')
    .set({ deadline: 0 })
    .where('answer', 'is', null)
    .execute()
}

/** Repeats every call with its idempotency key until it is answered. */
async function runUntilAnswered(calls: readonly PlannedCall[], random: (below: number) => number) {
  const answers = new Map<string, Answered>()
  let kills = 0
  for (let left = [...calls]; left.length > 0;) {
    const kinds = Object.entries(FATAL_STATEMENTS)
    const [kind, limit] = kinds[random(kinds.length)]!
    const answered = await runProcess(left, { kind, number: 1 + random(limit) })
    for (const answer of answered) answers.set(answer.key, answer)
    left = left.filter(({ key }) => !answers.has(key))
    if (left.length > 0) kills++
    await letDeadlinesPass()
  }
  return { answers, kills }
}

const used = ({ scope }: PlannedCall) => countUsage(storage.db, scope, Date.now())

describe('calls at the end of a quota', () => {
  it('are charged if and only if they are answered, despite errors, aborts and kill -9', async () => {
    let killsInAll = 0
    let answeredInAll = 0
    for (let seed = 0; seed < ROUNDS; seed++) {
      const random = seededRandom(seed)
      const interleavings: PlannedCall[][] = []
      while (interleavings.length < INTERLEAVINGS_EACH) {
        interleavings.push(await planInterleaving(random))
      }
      const before = await Promise.all(interleavings.map(([call]) => used(call!)))
      const { answers, kills } = await runUntilAnswered(interleavings.flat(), random)
      killsInAll += kills

      for (const [index, interleaving] of interleavings.entries()) {
        const { hardCap } = interleaving[0]!
        const good = interleaving
          .map(({ key }) => answers.get(key)!)
          .filter(({ status }) => status === 200)
        const charged = (await used(interleaving[0]!)) - before[index]!
        expect({ seed, index, charged }).toEqual({ seed, index, charged: good.length })
        expect(before[index]! + charged).toBeLessThanOrEqual(hardCap)
        for (const { key, answer } of good) expect(answer).toBe(`answer to ${key}`)
        answeredInAll += good.length
      }
    }
    // Guards against a plan that exercises nothing.
    expect(killsInAll).toBeGreaterThan(ROUNDS)
    expect(answeredInAll).toBeGreaterThan(ROUNDS * INTERLEAVINGS_EACH)
  }, 180_000)
})
