import pg from 'pg'
import { UnfinishedTransferError } from '../../src/database/postgres/transfer-state.js'
import { checkPostgres } from '../../src/doctor/checks/postgres.js'
import { describeOnPostgres } from '../_database.js'
import { NOON } from '../organizations/_storage.js'
import { closeOpened, describeBoth, open } from './_both-databases.js'
import { createInstallation, removeTemplates, type Installation } from './_installation.js'

let installation: Installation

afterAll(removeTemplates)

describeOnPostgres('a transfer that is interrupted', () => {
  beforeEach(async () => {
    installation = await createInstallation()
  })
  afterEach(async () => {
    await closeOpened()
    await installation.remove()
  })

  it('continues as often as it is interrupted, and then has moved the same', async () => {
    let runs = 0
    for (let isDone = false; !isDone; runs++) {
      let steps = 0
      let before: number | undefined
      const stopEarly = ({ phase, doneRows }: { phase: string; doneRows: number }) => {
        if (phase !== 'moving') return
        if (doneRows > (before ?? doneRows) && ++steps === 7) throw new Error('killed')
        before = doneRows
      }
      isDone = await installation.transfer(stopEarly).then(
        ({ outcome }) => outcome === 'continued',
        (error: Error) => {
          if (error.message !== 'killed') throw error
          return false
        },
      )
      if (isDone) break
      await expect(installation.openTarget()).rejects.toBeInstanceOf(UnfinishedTransferError)
    }
    expect(runs).toBeGreaterThan(3)
    const { source, target } = await describeBoth(installation)
    expect(target).toEqual(source)
  })

  it('can be interrupted before it is compared, and is compared then', async () => {
    const stop = ({ phase, table }: { phase: string; table: string }) => {
      if (phase === 'comparing' && table === 'end_users') throw new Error('killed')
    }
    await expect(installation.transfer(stop)).rejects.toThrow('killed')
    await expect(installation.openTarget()).rejects.toBeInstanceOf(UnfinishedTransferError)
    expect(await checkPostgres(installation.postgres)).toMatchObject({ status: 'failed' })
    expect((await installation.transfer()).outcome).toBe('continued')
    expect(await checkPostgres(installation.postgres)).toMatchObject({ status: 'ok' })
    await open(installation.openTarget())
  })

  it('says so when everything was moved already, and changes nothing, even beside a server', async () => {
    await installation.transfer()
    const target = await open(installation.openTarget())
    await target.updateTable('organizations').set({ name: 'Renamed' }).execute()
    expect(await installation.transfer()).toMatchObject({
      outcome: 'already-moved',
      finishedAt: NOON,
    })
    expect(await target.selectFrom('organizations').select('name').execute()).toEqual([
      { name: 'Renamed' },
    ])
  })

  it('reports what differs, and keeps servers from starting on it', async () => {
    const tamper = async () => {
      const { url } = installation.postgres
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(`update usage_days set requests = requests + 1
        where (scope_id, day, capability, outcome, latency_bucket) =
          (select scope_id, day, capability, outcome, latency_bucket from usage_days limit 1)`)
      await client.query(`update accounts set sign_in_name = 'intruder'`)
      await client.end()
    }
    const stop = ({ phase }: { phase: string }) => {
      if (phase === 'comparing') throw new Error('killed')
    }
    await expect(installation.transfer(stop)).rejects.toThrow('killed')
    await tamper()
    const continued = installation.transfer()
    await expect(continued).rejects.toThrow('sum of usage_days.requests')
    await expect(continued).rejects.toThrow('rows of accounts')
    await expect(installation.openTarget()).rejects.toBeInstanceOf(UnfinishedTransferError)
  })
})
