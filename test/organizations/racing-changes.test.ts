import { createInvitation, listInvitations } from '../../src/accounts/invitation.js'
import { addPasskey, listPasskeys } from '../../src/accounts/passkey.js'
import { createKey } from '../../src/organizations/api-key.js'
import { createOrganization } from '../../src/organizations/organization.js'
import { rotateKey } from '../../src/organizations/rotate-key.js'
import { verifyAuditLog } from '../../src/organizations/verify-audit-log.js'
import { removeMember } from '../../src/accounts/members.js'
import type { Database } from '../../src/database/open-database.js'
import { isOnPostgres, openTestDatabase } from '../_database.js'
import { act, NOON, openStorage, type StorageFixture } from './_storage.js'

/** Changes of two replicas at the same time, each with a pool of connections; SQLite has one server. */
let storage: StorageFixture
let replicas: { db: Database; secret: StorageFixture['secret'] }[]

beforeEach(async () => {
  storage = await openStorage()
  const second = isOnPostgres ? await openTestDatabase(storage.dataDir) : storage.db
  replicas = [storage.db, second].map((db) => ({ db, secret: storage.secret }))
})
afterEach(async () => {
  if (isOnPostgres) await replicas[1]!.db.destroy()
  await storage.remove()
})

/** Runs a change on the replicas in turns, all at once; counts what succeeded, and what the others were refused for. */
async function race(
  times: number,
  change: (deps: (typeof replicas)[0], index: number) => Promise<unknown>,
) {
  const outcomes = await Promise.allSettled(
    Array.from({ length: times }, (_, index) => change(replicas[index % 2]!, index)),
  )
  const refusals = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [(outcome.reason as { code: string }).code] : [],
  )
  return { succeeded: times - refusals.length, refusals: new Set(refusals) }
}

async function addAccount(id: string, role: string): Promise<void> {
  const { db, organizationId } = storage
  await db
    .insertInto('accounts')
    .values({ id, sign_in_name: id, email: null, password_hash: null, created_at: NOON })
    .execute()
  await db
    .insertInto('memberships')
    .values({ organization_id: organizationId, account_id: id, role, created_at: NOON })
    .execute()
}

describe('changes at the same time', () => {
  it('leave the organisation an owner', async () => {
    await addAccount('acc_one', 'owner')
    await addAccount('acc_two', 'owner')
    const { organizationId } = storage
    const removed = await race(2, (deps, index) =>
      removeMember(deps, { organizationId, accountId: ['acc_one', 'acc_two'][index]! }, act()),
    )
    expect(removed).toEqual({ succeeded: 1, refusals: new Set(['not_possible']) })
  })

  it('create no more keys than an organisation may have', async () => {
    const { organizationId } = storage
    const key = { organizationId, name: 'Backend', environment: 'test' } as const
    const create = (deps: (typeof replicas)[0]) =>
      createKey(deps, { ...key, capabilities: ['events'] }, act())
    for (let created = 0; created < 95; created++) await create(replicas[0]!)
    expect(await race(20, create)).toEqual({ succeeded: 5, refusals: new Set(['not_possible']) })
  })

  it('create no more invitations than an organisation may have', async () => {
    const { organizationId } = storage
    const invite = (deps: (typeof replicas)[0]) =>
      createInvitation(deps, { organizationId, role: 'viewer' }, act())
    for (let created = 0; created < 95; created++) await invite(replicas[0]!)
    expect(await race(20, invite)).toEqual({ succeeded: 5, refusals: new Set(['not_possible']) })
    expect(await listInvitations(storage.db, organizationId, NOON)).toHaveLength(100)
  })

  it('add no more passkeys than an account may have, and each once', async () => {
    await addAccount('acc_one', 'owner')
    const add = (deps: (typeof replicas)[0], index: number) =>
      addPasskey(
        deps,
        {
          accountId: 'acc_one',
          id: `passkey ${Math.floor(index / 2)}`,
          publicKey: new Uint8Array(4),
          counter: 0,
          device: 'Firefox on Linux',
        },
        act(),
      )
    expect(await race(16, add)).toEqual({ succeeded: 8, refusals: new Set(['changed_meanwhile']) })
    const more = await race(10, (deps, index) => add(deps, 100 + 2 * index))
    expect(more).toEqual({ succeeded: 2, refusals: new Set(['not_possible']) })
    expect(await listPasskeys(storage.db, 'acc_one')).toHaveLength(10)
  })

  it('give a name to one organisation, and a key one secret for each that was seen', async () => {
    const named = await race(10, (deps) =>
      createOrganization({ ...deps, plans: storage.plans }, { name: 'Acme', plan: 'free' }, act()),
    )
    expect(named).toEqual({ succeeded: 1, refusals: new Set(['name_taken']) })
    const { keyId } = await storage.issueKey({}, NOON)
    const key = { organizationId: storage.organizationId, keyId, secretCreatedAt: NOON }
    const rotated = await race(10, (deps) => rotateKey(deps, key, act(NOON + 1)))
    expect(rotated).toEqual({ succeeded: 1, refusals: new Set(['changed_meanwhile']) })
  })

  it('are recorded in one chain', async () => {
    const { organizationId } = storage
    await race(40, (deps) => createInvitation(deps, { organizationId, role: 'viewer' }, act()))
    const verdict = await verifyAuditLog(replicas[0]!)
    expect(verdict).toMatchObject({ entries: 41, broken: undefined })
  })
})
