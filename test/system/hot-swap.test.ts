import { cp, link, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readJson } from '../_read-json.js'
import { matchBody, openersBody } from './_profiles.js'
import {
  MISSING_WEIGHTS,
  sleep,
  startServerProcess,
  type ServerProcess,
} from './_server-process.js'

const describeWithWeights = MISSING_WEIGHTS.length === 0 ? describe : describe.skip

describeWithWeights('a model swap under load', () => {
  let server: ServerProcess
  let folder: string
  let envFile: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'profile-service-packs-'))
    for (const name of ['clip-lite', 'open-nsfw', 'bio-safety-minilm', 'smollm2-135m-openers']) {
      await copyPack(name, path.join(folder, 'models', name), name)
    }
    await copyPack('clip-lite', path.join(folder, 'models', 'clip-other'), 'clip-other')
    await copyPack('smollm2-135m-openers', path.join(folder, 'models', 'llm-other'), 'llm-other')
    envFile = path.join(folder, 'service.env')
    await writeFile(envFile, '')
    server = await startServerProcess({
      env: { MODELS_DIR: path.join(folder, 'models'), ENV_FILE: envFile },
    })
  }, 120_000)
  afterAll(async () => {
    await server?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const packsInUse = async () => {
    const { models } = await readJson(await fetch(`${server.baseUrl}/readyz`))
    return models.flatMap((model: { packs: string[] }) => model.packs)
  }

  it('replaces both models by configuration alone and loses no call', async () => {
    const statuses: number[] = []
    let isOver = false
    const load = async (send: () => Promise<Response>) => {
      while (!isOver) {
        const answer = await send()
        await answer.arrayBuffer()
        statuses.push(answer.status)
      }
    }
    const openers = await openersBody({ count: 1 })
    let number = 0
    const running = [
      load(() => server.post('/v1/conversation/openers', openers)),
      load(async () =>
        server.post('/v1/match/evaluate', await matchBody({ bio: `Walker number ${number++}.` })),
      ),
    ]
    await writeFile(envFile, 'CLIP_PACK=clip-other\nLLM_PACK=llm-other\n')
    server.child.kill('SIGUSR2')
    while (!server.output().includes('models reloaded')) await sleep(50)
    await sleep(500)
    isOver = true
    await Promise.all(running)
    expect(await packsInUse()).toEqual([
      'clip-other',
      'open-nsfw',
      'bio-safety-minilm',
      'llm-other',
    ])
    expect(statuses.length).toBeGreaterThan(3)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
  }, 90_000)

  it('keeps the models in use when the new one cannot be loaded', async () => {
    const before = await packsInUse()
    await writeFile(envFile, 'CLIP_PACK=clip-other\nLLM_PACK=no-such-pack\n')
    server.child.kill('SIGUSR2')
    while (!server.output().includes('the reload failed')) await sleep(50)
    expect(await packsInUse()).toEqual(before)
    const answer = await server.post('/v1/conversation/openers', await openersBody({ count: 1 }))
    expect(answer.status).toBe(200)
  }, 60_000)
})

/** A pack under another name; weights are linked, not copied. */
async function copyPack(name: string, target: string, newName: string): Promise<void> {
  const source = path.join('models', name)
  await mkdir(target, { recursive: true })
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const [from, to] = [path.join(source, entry.name), path.join(target, entry.name)]
    if (entry.isDirectory()) await cp(from, to, { recursive: true })
    else if (entry.name !== 'pack.json') await link(from, to).catch(() => cp(from, to))
  }
  const manifest = JSON.parse(await readFile(path.join(source, 'pack.json'), 'utf8'))
  await writeFile(path.join(target, 'pack.json'), JSON.stringify({ ...manifest, name: newName }))
}
