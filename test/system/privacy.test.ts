import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { readJson } from '../_read-json.js'
import { openersBody, photo } from './_profiles.js'
import { startServerProcess, type ServerProcess } from './_server-process.js'
import { readStored } from './_stored-traces.js'
import { describeWithWeights, MISSING_WEIGHTS } from '../_weights.js'

const hasStrace = spawnSync('strace', ['-V']).status === 0

describeWithWeights('the server process', MISSING_WEIGHTS, () => {
  const startedAt = Date.now()
  let server: ServerProcess
  beforeAll(async () => {
    server = await startServerProcess({
      env: { LOG_LEVEL: 'trace', METRICS_TOKEN: 'metrics-token-of-the-test' },
    })
  }, 180_000)
  afterAll(() => server?.close())

  it('keeps no bio, name, id, photo URL, opener or key in log, database, metrics or files', async () => {
    const canary = 'Zanzibarquokka'
    const recipient = {
      id: `${canary}-id`,
      photos: [await photo('cat'), `https://photos.invalid/${canary}.jpg`],
      bio: `I breed the ${canary} and drink coffee with my cat.`,
    }
    const sender = { id: `${canary}-sender`, name: canary }
    const bodies = [
      await openersBody({ sender, recipient }),
      await openersBody({ sender, recipient: { ...recipient, photos: [await photo('cat')] } }),
      await openersBody({
        sender,
        recipient: { ...recipient, bio: `${canary} fuck off 555 010 9999` },
      }),
      `{"sender": "${canary}`,
    ]
    const openers: string[] = []
    const answered: string[] = []
    for (const body of bodies) {
      const answer = await server.post('/v1/conversation/openers', body)
      const { openers: written = [], request_id: requestId } = await readJson(answer)
      if (written.length > 0) answered.push(requestId)
      openers.push(...written.map((opener: { text: string }) => opener.text))
    }
    const metrics = await fetch(`${server.baseUrl}/metrics`, {
      headers: { Authorization: 'Bearer metrics-token-of-the-test' },
    })
    const stored = await readStored(server.dataDir, startedAt)
    expect([...stored.values()].some((content) => content.includes(answered[0]!))).toBe(true)
    stored.delete(path.join(server.dataDir, 'first-key'))
    const traces = [['log', server.output()], ['metrics', await metrics.text()], ...stored] as const
    expect(openers.length).toBeGreaterThan(0)
    const secret = server.apiKey.slice(8)
    for (const [place, content] of traces) {
      for (const marker of [canary, photoPayload(recipient.photos[0]!), secret, ...openers]) {
        expect([place, content.includes(marker)]).toEqual([place, false])
      }
    }
    expect(server.output()).not.toContain('/invitation#')
  }, 180_000)

  it('prints the first key and an invitation with --welcome', async () => {
    const welcoming = await startServerProcess({ args: ['--welcome'] })
    await welcoming.close()
    for (const shown of [welcoming.apiKey, `${welcoming.baseUrl}/portal/invitation#`]) {
      expect(welcoming.output()).toContain(shown)
    }
  }, 180_000)
})

describeWithWeights('a server that only receives data: photos', MISSING_WEIGHTS, () => {
  it('connects only to this machine', async () => {
    if (!hasStrace) throw new Error('strace is needed to watch connections; install it.')
    const folder = await mkdtemp(path.join(os.tmpdir(), 'profile-service-trace-'))
    const trace = path.join(folder, 'trace')
    // With -D the server is the direct child, so that signals reach it.
    const server = await startServerProcess({
      wrapper: ['strace', '-D', '-f', '-qq', '-e', 'trace=connect,sendto', '-o', trace],
    })
    try {
      const answer = await server.post('/v1/conversation/openers', await openersBody())
      expect(answer.status).toBe(200)
      const calls = (await readFile(trace, 'utf8')).split('\n')
      const addresses = calls.flatMap((line) => /sin6?_addr.*?"([^"]+)"/.exec(line)?.[1] ?? [])
      const isLocal = (address: string) => /^(?:127\.|::1$|::ffff:127\.)/.test(address)
      expect(addresses.filter((address) => !isLocal(address))).toEqual([])
    } finally {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    }
  }, 180_000)
})

function photoPayload(dataUrl: string): string {
  return dataUrl.slice(1_000, 1_060)
}
