import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { sql } from 'kysely'
import { isAlive } from '../../src/database/postgres/replica.js'
import { hashPassword } from '../../src/accounts/password.js'
import { newId } from '../../src/organizations/new-id.js'
import { describeOnPostgres } from '../_database.js'
import { Balancer, type Reply } from './_balancer.js'
import { openersBody } from './_profiles.js'
import { startReplicas, type ReplicaProcess, type Replicas } from './_replicas.js'
import { sleep } from './_server-process.js'

const OPENERS = '/v1/conversation/openers'
/** Of machines that do other work too. */
const LONG = 180_000

describeOnPostgres('three servers on one database', () => {
  let fleet: Replicas
  let one: ReplicaProcess
  let two: ReplicaProcess
  let balancer: Balancer
  let body: Awaited<ReturnType<typeof openersBody>>

  beforeAll(async () => {
    fleet = await startReplicas(3)
    ;[one, two] = fleet.replicas as [ReplicaProcess, ReplicaProcess]
    const keys = await Promise.all(fleet.replicas.map((replica) => replica.firstKey()))
    balancer = new Balancer(
      fleet.replicas,
      keys.find((key) => key !== undefined)!,
    )
    body = await openersBody()
  }, LONG)
  afterAll(() => fleet?.close(), LONG)

  const openersOf = (server: ReplicaProcess, key: string = randomUUID()) =>
    balancer.postTo(server, OPENERS, { body, headers: { 'X-Idempotency-Key': key } })

  /** Charged calls, as the answer to one more says, without that one. */
  async function countCharged(): Promise<number> {
    const { headers } = await openersOf(two)
    return Number(headers.get('x-service-quota-used')!.replaceAll(',', '')) - 1
  }

  async function countAlive(): Promise<number> {
    const isLiving = isAlive(sql.ref('replicas.id'))
    const rows = await fleet.db.selectFrom('replicas').select('id').where(isLiving).execute()
    return rows.length
  }

  /** Waits until a server has admitted calls and not answered them. */
  async function untilRunning(server: ReplicaProcess, count: number): Promise<void> {
    while ((await server.countRunning()) < count) await sleep(20)
  }

  /** Stops a server with calls in flight, as an orchestrator does, and starts it again. */
  async function restart(server: ReplicaProcess): Promise<void> {
    server.hold()
    const held = openersOf(server)
    const probe = await beginProbe(server)
    balancer.remove(server)
    // As long as a load balancer needs to notice: all that was sent has arrived.
    while ((await server.countRunning()) < balancer.countInFlight(server)) await sleep(20)
    server.signal('SIGTERM')
    while (!server.output().includes('stopping; finishing calls')) await sleep(10)
    expect(await probe()).toMatch(/^HTTP\/1.1 503 [\s\S]*"status":"stopping"/)
    expect(balancer.countInFlight(server)).toBeGreaterThan(0)
    server.release()
    expect((await held).status).toBe(200)
    expect(await server.ended()).toBe(0)
    expect(balancer.countInFlight(server)).toBe(0)
    expect(await countAlive()).toBe(2)
    await server.start()
    balancer.add(server)
  }

  /** Begins a request for the readiness, which the returned function ends, on a connection of its own. */
  async function beginProbe({ baseUrl }: ReplicaProcess): Promise<() => Promise<string>> {
    const { hostname, port } = new URL(baseUrl)
    const socket = net.connect(Number(port), hostname)
    await once(socket, 'connect')
    socket.write('GET /readyz HTTP/1.1\r\nHost: here\r\n')
    return () => {
      socket.write('\r\n')
      return text(socket)
    }
  }

  it('have one first organisation, with one key that works on all of them', async () => {
    const keys = await Promise.all(fleet.replicas.map((replica) => replica.firstKey()))
    expect(keys.filter((key) => key !== undefined)).toHaveLength(1)
    expect(await fleet.db.selectFrom('organizations').select('id').execute()).toHaveLength(1)
    const answers = await Promise.all(fleet.replicas.map((server) => openersOf(server)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it('are known to each other', async () => {
    expect(await countAlive()).toBe(3)
  })

  it('count the quota together', async () => {
    const before = await countCharged()
    const answers = await Promise.all(Array.from({ length: 9 }, () => balancer.post(OPENERS, body)))
    expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(200))
    // The call that counted is charged too.
    expect(await countCharged()).toBe(before + 1 + 9)
  })

  it('open the portal to who has signed in on another one', async () => {
    const { id } = await fleet.db.selectFrom('organizations').select('id').executeTakeFirstOrThrow()
    const [name, password] = ['ann@example.com', 'a plain long password of tests']
    const account = newId('acc')
    const created_at = Date.now()
    await fleet.db
      .insertInto('accounts')
      .values({
        id: account,
        sign_in_name: name,
        email: name,
        password_hash: await hashPassword(password),
        created_at,
      })
      .execute()
    await fleet.db
      .insertInto('memberships')
      .values({ organization_id: id, account_id: account, role: 'owner', created_at })
      .execute()
    const signedIn = await fetch(`${one.baseUrl}/portal/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: one.baseUrl },
      body: new URLSearchParams({ name, password }),
    })
    const cookies = signedIn.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!)
    const visit = (headers: Record<string, string>) =>
      fetch(`${two.baseUrl}/portal/keys`, { redirect: 'manual', headers })
    expect((await visit({})).status).toBe(303)
    const page = await visit({ Cookie: cookies.join('; ') })
    expect(page.status).toBe(200)
    expect(await page.text()).toContain('First key')
  })

  it('execute a request once that two of them get at the same time', async () => {
    const before = await countCharged()
    const key = randomUUID()
    one.hold()
    const first = openersOf(one, key)
    await untilRunning(one, 1)
    const duplicates = [openersOf(two, key), openersOf(two, key)]
    await sleep(500)
    one.release()
    const answer = await first
    expect(answer.status).toBe(200)
    for (const duplicate of await Promise.all(duplicates)) {
      expect(duplicate.text).toBe(answer.text)
      expect(duplicate.headers.get('idempotent-replayed')).toBe('true')
    }
    expect(await countCharged()).toBe(before + 1 + 1)
  })

  it(
    'answer a request whose server was killed, long before its deadline',
    async () => {
      const before = await countCharged()
      const key = randomUUID()
      one.hold()
      const lost = openersOf(one, key).catch(() => 'lost')
      await untilRunning(one, 1)
      const duplicate = openersOf(two, key)
      one.signal('SIGKILL')
      const killedAt = Date.now()
      expect(await lost).toBe('lost')
      const answer = await duplicate
      const seconds = (Date.now() - killedAt) / 1_000
      expect(answer.status).toBe(200)
      expect(answer.headers.get('idempotent-replayed')).toBeNull()
      // 15 s after its last beat, and some for a slow machine; the deadline is 70 s away.
      expect(seconds).toBeLessThan(30)
      expect(await countCharged()).toBe(before + 1 + 1)
      one.release()
      await one.start()
      const replayed = await openersOf(one, key)
      expect(replayed.text).toBe(answer.text)
    },
    LONG,
  )

  it(
    'lose no call while they are restarted one by one',
    async () => {
      let isOver = false
      const replies: Reply[] = []
      const clients = Array.from({ length: 4 }, async (_, index) => {
        const accept = index % 2 ? 'text/event-stream' : 'application/json'
        while (!isOver) {
          const headers = { 'X-Idempotency-Key': randomUUID(), Accept: accept }
          replies.push(await balancer.post(OPENERS, body, headers))
          await sleep(50)
        }
      })
      try {
        for (const server of fleet.replicas) await restart(server)
      } finally {
        isOver = true
      }
      await Promise.all(clients)
      expect(replies.length).toBeGreaterThan(10)
      expect(replies.filter(({ status }) => status !== 200)).toEqual([])
      const streams = replies.filter((reply) => reply.text.startsWith('event:'))
      expect(streams.length).toBeGreaterThan(0)
      for (const stream of streams) expect(stream.text).toContain('event: done')
    },
    LONG,
  )
})
