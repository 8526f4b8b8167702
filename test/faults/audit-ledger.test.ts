import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import BetterSqlite3 from 'better-sqlite3'
import { auditLedger, countLost } from '../../src/tools/faults/ledger/audit-ledger.js'
import { Ledger } from '../../src/tools/faults/ledger/ledger.js'
import { Partner } from '../../src/tools/faults/ledger/partner.js'

const KEY = 'sk_test_known'

/** A service that remembers what it acknowledged, and can be made to forget. */
describe('the audit of the ledger', () => {
  let folder: string
  let server: http.Server
  let service: { baseUrl: string; apiKey: string; dataDir: string }
  let memory: { answers: Map<string, string>; batches: Set<string>; keys: Set<string> }
  let ledger: Ledger

  beforeEach(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'profile-service-audit-'))
    memory = { answers: new Map(), batches: new Set(), keys: new Set([KEY]) }
    server = http.createServer((request, response) => void answer(request, response))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    service = { baseUrl: `http://127.0.0.1:${port}`, apiKey: KEY, dataDir: folder }
    ledger = new Ledger()
    ledger.keys.push(KEY)
    const partner = new Partner(service, ledger)
    await partner.call(ledger.nextCall(() => '{}', false))
    await partner.call(ledger.nextCall(() => '{}', false))
    await partner.report(ledger.nextBatch(10)!)
    charge(2)
  })
  afterEach(() => {
    server.close()
    server.closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  })

  async function answer(request: http.IncomingMessage, response: http.ServerResponse) {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk as string
    const key = request.headers.authorization!.replace('Bearer ', '')
    if (!memory.keys.has(key)) return response.writeHead(401).end('{"error":"invalid_api_key"}')
    if (body === '') return response.writeHead(400).end('{"error":"invalid_request"}')
    response.end(request.url === '/v1/events' ? store(body) : execute(request))
  }

  function store(body: string): string {
    const accepted = memory.batches.has(body) ? 0 : 10
    memory.batches.add(body)
    return JSON.stringify({ accepted })
  }

  function execute({ headers }: http.IncomingMessage): string {
    const key = headers['x-idempotency-key'] as string
    const known = memory.answers.get(key) ?? JSON.stringify({ request_id: `req_${Math.random()}` })
    memory.answers.set(key, known)
    return known
  }

  function charge(used: number) {
    const db = new BetterSqlite3(path.join(folder, 'service.db'))
    db.exec('drop table if exists quota_usage; drop table if exists quota_leases')
    db.exec('create table quota_usage (capability text, admitted integer)')
    db.exec('create table quota_leases (capability text)')
    // A permit of a call that runs is no charge.
    db.exec(`insert into quota_leases values ('match.evaluate')`)
    db.prepare(`insert into quota_usage values ('match.evaluate', ?)`).run(used + 1)
    db.close()
  }

  const lost = async () => countLost(await auditLedger(service, ledger))

  it('finds nothing when everything acknowledged is there', async () => {
    expect(await lost()).toBe(0)
    expect(ledger.countAcknowledged()).toBe(13)
  })

  it('counts every event of a batch that the service forgot', async () => {
    memory.batches.clear()
    expect(await lost()).toBe(10)
  })

  it('counts a replay that is another answer', async () => {
    memory.answers.delete(ledger.calls[0]!.idempotencyKey)
    expect(await lost()).toBe(1)
  })

  it('counts a key that the service no longer knows', async () => {
    ledger.keys.push('sk_test_forgotten')
    expect(await lost()).toBe(1)
  })

  it('counts an answered call that is not charged', async () => {
    charge(1)
    expect(await lost()).toBe(1)
  })

  it('reports a call that is charged twice, which is wrong but not lost', async () => {
    charge(3)
    const audit = await auditLedger(service, ledger)
    expect(audit.chargeDifference).toBe(1)
    expect(countLost(audit)).toBe(0)
  })

  it('executes what got no answer before, and counts it as answered', async () => {
    ledger.nextCall(() => '{}', false)
    charge(3)
    expect(await lost()).toBe(0)
    expect(ledger.answeredCalls()).toHaveLength(3)
  })
})
