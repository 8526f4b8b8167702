import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, it } from '@jest/globals'
import { readJson } from '../_read-json.js'
import { describeWithWeights, MISSING_WEIGHTS } from '../_weights.js'
import { modelsOf, startKServeServer } from '../inference/engines/_kserve-server.js'
import { visionSettings } from '../model/_vision-worker.js'
import { matchBody } from './_profiles.js'
import { sleep, startServerProcess, type ServerProcess } from './_server-process.js'
import { spawnVisionWorker } from './_vision-worker-process.js'

const KEY = 'a-key-for-the-engines'

/** Engines of one kind, which the test ends and starts again at the same address. */
interface Engines {
  url: string
  env: Record<string, string>
  kill: () => Promise<void>
  restart: () => Promise<void>
}

describeWithWeights('the service with its vision models elsewhere', MISSING_WEIGHTS, () => {
  const closers: (() => unknown)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close()
  })

  async function keyFile(): Promise<string> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'profile-service-key-'))
    closers.push(() => rm(folder, { recursive: true }))
    const file = path.join(folder, 'key')
    await writeFile(file, `${KEY}\n`)
    return file
  }

  async function startKServe(): Promise<Engines> {
    const models = modelsOf(await visionSettings())
    let server = await startKServeServer({ models, apiKey: KEY })
    const { port, url } = server
    closers.push(() => server.kill())
    return {
      url,
      env: { VISION_API_KEY_FILE: await keyFile() },
      kill: () => server.kill(),
      restart: async () => {
        server = await startKServeServer({ models, apiKey: KEY, port })
      },
    }
  }

  async function startVisionWorker(): Promise<Engines> {
    const env = { VISION_API_KEY_FILE: await keyFile() }
    let worker = await spawnVisionWorker(env)
    closers.push(() => worker.kill())
    return {
      url: worker.url,
      env: { ...env, VISION_PROTOCOL: 'worker' },
      kill: () => worker.kill(),
      restart: async () => {
        worker = await spawnVisionWorker(env, new URL(worker.url).port)
      },
    }
  }

  const vision = async (server: ServerProcess) => {
    const { models } = await readJson(await fetch(`${server.baseUrl}/readyz`))
    return (models as { role: string; state: string; device: string; problem?: string }[]).find(
      ({ role }) => role === 'vision',
    )!
  }
  it.each([
    ['KServe engines', startKServe, 'engines'],
    ['vision workers', startVisionWorker, 'workers'],
  ])(
    'answers with %s, refuses while they are away, and recovers',
    async (_, start, device) => {
      const engines = await start()
      const server = await startServerProcess({ env: { VISION_URL: engines.url, ...engines.env } })
      closers.push(() => server.close())
      expect(await vision(server)).toMatchObject({ state: 'ready', device })
      const route = '/v1/match/evaluate'
      expect((await server.post(route, await matchBody())).status).toBe(200)

      await engines.kill()
      // The analyses of photos are remembered, the verdict on another bio is not.
      const away = await server.post(route, await matchBody({ bio: 'I love tea.' }))
      expect(away.status).toBe(503)
      expect(await away.json()).toMatchObject({ error: 'model_unavailable' })
      while ((await vision(server)).state === 'ready') await sleep(50)
      expect((await fetch(`${server.baseUrl}/readyz`)).status).toBe(503)
      expect((await vision(server)).problem).toContain(engines.url)

      await engines.restart()
      while ((await vision(server)).state !== 'ready') await sleep(100)
      const back = await server.post(route, await matchBody({ bio: 'I love tea.' }))
      expect(back.status).toBe(200)
      expect(server.output()).not.toContain(KEY)
      expect(server.output()).not.toContain('I love')
    },
    120_000,
  )
})
