import { cp, link, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { readJson } from '../_read-json.js'
import { matchBody, openersBody } from './_profiles.js'
import { sleep, startServerProcess, type ServerProcess } from './_server-process.js'
import { describeWithWeights, MISSING_WEIGHTS } from '../_weights.js'

describeWithWeights('a model swap under load', MISSING_WEIGHTS, () => {
  let server: ServerProcess
  let folder: string
  let envFile: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'profile-service-packs-'))
    for (const name of [
      'clip-lite',
      'open-nsfw',
      'bio-safety-e5-small',
      'match-minilm',
      'smollm2-135m-openers',
    ]) {
      await copyPack(name, path.join(folder, 'models', name), name)
    }
    await copyPack('clip-lite', path.join(folder, 'models', 'clip-other'), 'clip-other')
    await copyPack('smollm2-135m-openers', path.join(folder, 'models', 'llm-other'), 'llm-other')
    await copyPack('clip-lite', path.join(folder, 'models', 'clip-unloadable'), 'clip-unloadable', {
      clip: { ...(await readManifest('clip-lite')).clip, embeddingDimension: 385 },
    })
    const llmUnloadable = path.join(folder, 'models', 'llm-unloadable')
    await copyPack('smollm2-135m-openers', llmUnloadable, 'llm-unloadable')
    await rm(path.join(llmUnloadable, 'prompts', 'opener.jinja'))
    envFile = path.join(folder, 'service.env')
    await writeFile(envFile, '')
    server = await startServerProcess({
      env: { MODELS_DIR: path.join(folder, 'models'), ENV_FILE: envFile },
    })
  }, 180_000)
  afterAll(async () => {
    await server?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const readModels = async (): Promise<{ role: string; state: string; packs: string[] }[]> =>
    (await readJson(await fetch(`${server.baseUrl}/readyz`))).models
  const packsInUse = async () => (await readModels()).flatMap(({ packs }) => packs)
  const visionState = async () => (await readModels()).find(({ role }) => role === 'vision')?.state

  const count = (text: string) => server.output().split(text).length - 1

  /** Reloads with these variables, and returns the outcome. */
  async function reload(variables: string): Promise<'reloaded' | 'failed'> {
    const [reloaded, failed] = [count('models reloaded'), count('the reload failed')]
    await writeFile(envFile, variables)
    server.child.kill('SIGUSR2')
    for (;;) {
      if (count('models reloaded') > reloaded) return 'reloaded'
      if (count('the reload failed') > failed) return 'failed'
      await sleep(50)
    }
  }

  it('replaces both models through the configuration and loses no call', async () => {
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
    expect(await reload('CLIP_PACK=clip-other\nLLM_PACK=llm-other\n')).toBe('reloaded')
    await sleep(500)
    isOver = true
    await Promise.all(running)
    expect(await packsInUse()).toEqual([
      'clip-other',
      'open-nsfw',
      'bio-safety-e5-small',
      'match-minilm',
      'llm-other',
    ])
    expect(statuses.length).toBeGreaterThan(3)
    expect(statuses.filter((status) => status !== 200)).toEqual([])
  }, 90_000)

  it('keeps the current models if a new one cannot be loaded', async () => {
    const before = await packsInUse()
    expect(await reload('CLIP_PACK=clip-other\nLLM_PACK=no-such-pack\n')).toBe('failed')
    expect(await packsInUse()).toEqual(before)
    const answer = await server.post('/v1/conversation/openers', await openersBody({ count: 1 }))
    expect(answer.status).toBe(200)
  }, 120_000)

  it('restarts the current model after a crash that follows a failed swap', async () => {
    expect(await reload('CLIP_PACK=clip-lite\nLLM_PACK=llm-unloadable\n')).toBe('failed')
    const inUse = ['clip-lite', 'open-nsfw', 'bio-safety-e5-small', 'match-minilm', 'llm-other']
    expect(await packsInUse()).toEqual(inUse)

    const ready = count('A model worker is ready')
    process.kill(await server.workerPid('vision'), 'SIGKILL')
    while (count('A model worker is ready') === ready) await sleep(50)

    expect(await packsInUse()).toEqual(inUse)
  }, 120_000)

  it('serves the latest configuration after two consecutive reloads', async () => {
    const [reloaded, failed] = [count('models reloaded'), count('the reload failed')]
    await writeFile(envFile, 'CLIP_PACK=clip-unloadable\nLLM_PACK=llm-other\n')
    server.child.kill('SIGUSR2')
    while ((await visionState()) !== 'swapping') await sleep(10)
    await writeFile(envFile, 'CLIP_PACK=clip-other\nLLM_PACK=llm-other\n')
    server.child.kill('SIGUSR2')
    while (count('models reloaded') === reloaded) await sleep(50)
    expect(count('the reload failed')).toBe(failed + 1)
    expect(await packsInUse()).toEqual([
      'clip-other',
      'open-nsfw',
      'bio-safety-e5-small',
      'match-minilm',
      'llm-other',
    ])
  }, 120_000)
})

/** Creates a copy of a pack under another name, with linked weights. */
async function copyPack(
  name: string,
  target: string,
  newName: string,
  changes: object = {},
): Promise<void> {
  const source = path.join('models', name)
  await mkdir(target, { recursive: true })
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const [from, to] = [path.join(source, entry.name), path.join(target, entry.name)]
    if (entry.isDirectory()) await cp(from, to, { recursive: true })
    else if (entry.name !== 'pack.json') await link(from, to).catch(() => cp(from, to))
  }
  const manifest = { ...(await readManifest(name)), ...changes, name: newName }
  await writeFile(path.join(target, 'pack.json'), JSON.stringify(manifest))
}

async function readManifest(name: string) {
  return JSON.parse(await readFile(path.join('models', name, 'pack.json'), 'utf8'))
}
