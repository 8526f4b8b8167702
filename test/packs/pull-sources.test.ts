import { randomBytes } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { resolvePack } from '../../src/packs/pack-folder.js'
import { pullPack } from '../../src/packs/pull-pack.js'
import type { PullSettings } from '../../src/packs/pull-settings.js'
import { contentHandler, sha256, startServer, type LocalServer } from './support/model-server.js'
import {
  describePack,
  filesBelow,
  makeModelsDir,
  removeModelsDir,
  testSettings,
  type TestFile,
} from './support/temp-models.js'

const content = randomBytes(60_000)
const pinned = { sha256: sha256(content), sizeBytes: content.length }

let modelsDir: string
let server: LocalServer
let served: Buffer

beforeEach(async () => {
  served = content
  modelsDir = await makeModelsDir()
  server = await startServer((request, response) => contentHandler(served)(request, response))
})

afterEach(async () => {
  await server.close()
  await removeModelsDir(modelsDir)
})

const good = () => ({ type: 'url' as const, url: `${server.origin}/good.gguf` })
const nowhere = { type: 'url' as const, url: 'http://127.0.0.1:1/tiny.gguf' }

async function pull(files: TestFile[], changes: Partial<PullSettings> = {}, name = 'tiny') {
  const folder = await describePack(modelsDir, name, files)
  const pulled = await pullPack(await resolvePack(modelsDir, name), testSettings(changes))
  return { folder, pulled }
}

async function pins(): Promise<Record<string, { sha256: string }>> {
  return JSON.parse(await readFile(path.join(modelsDir, 'models.lock.json'), 'utf8')).files
}

describe('the sources of a file', () => {
  it('are tried in order until one works', async () => {
    const failed: string[] = []
    const sources = [{ type: 'repository' as const }, nowhere, good()]
    const { pulled } = await pull([{ path: 'tiny.gguf', ...pinned, sources }], {
      onNotice: (message) => failed.push(message),
    })
    expect(failed).toHaveLength(2)
    expect(pulled).toMatchObject([{ source: good() }])
  })

  it('are not tried after one worked', async () => {
    const sources = [good(), { ...good(), url: `${server.origin}/second.gguf` }]
    await pull([{ path: 'tiny.gguf', ...pinned, sources }])
    expect(server.requests.map(({ path }) => path)).toEqual(['/good.gguf'])
  })

  it('do not continue the partial download of another source', async () => {
    const cut = await startServer((_, response) => {
      response.writeHead(200, { etag: '"same"', 'content-length': content.length })
      response.write(content.subarray(0, 30_000), () => setImmediate(() => response.destroy()))
    })
    try {
      const began = { type: 'url' as const, url: `${cut.origin}/good.gguf` }
      await pull([{ path: 'tiny.gguf', ...pinned, sources: [began, good()] }])
      expect(cut.requests.length).toBeGreaterThan(1)
      expect(server.requests.map(({ headers }) => headers.range)).toEqual([undefined])
    } finally {
      await cut.close()
    }
  })

  it('are all reported with their reasons if they fail', async () => {
    const sources = [{ type: 'repository' as const }, nowhere]
    const pulling = pull([{ path: 'tiny.gguf', ...pinned, sources }])
    await expect(pulling).rejects.toMatchObject({
      code: 'pull_failed',
      message: expect.stringMatching(/repository.*127\.0\.0\.1:1/s),
    })
  })

  it('can be a local file, which is copied', async () => {
    const original = path.join(modelsDir, 'original.gguf')
    await writeFile(original, content)
    const sources = [{ type: 'path' as const, path: '../original.gguf' }]
    const { folder } = await pull([{ path: 'a/tiny.gguf', ...pinned, sources }], { offline: true })
    expect(sha256(await readFile(path.join(folder, 'a/tiny.gguf')))).toBe(pinned.sha256)
    expect(sha256(await readFile(original))).toBe(pinned.sha256)
  })

  it('replace an existing file with a wrong hash', async () => {
    const file = { path: 'tiny.gguf', ...pinned, sources: [good()] }
    const folder = await describePack(modelsDir, 'tiny', [file])
    await writeFile(path.join(folder, 'tiny.gguf'), randomBytes(60_000))
    await pull([file])
    expect(sha256(await readFile(path.join(folder, 'tiny.gguf')))).toBe(pinned.sha256)
  })

  it('of one file can fail without stopping other files', async () => {
    const files = [
      { path: 'tiny.gguf', ...pinned, sources: [nowhere] },
      { path: 'other.gguf', ...pinned, sources: [good()] },
    ]
    await expect(pull(files)).rejects.toMatchObject({ code: 'pull_failed' })
    expect(await filesBelow(path.join(modelsDir, 'tiny'))).toEqual(['other.gguf'])
  })

  it('are not used if the disk is too small', async () => {
    const sizeBytes = Number.MAX_SAFE_INTEGER
    served = content
    const chunked = await startServer((request, response) =>
      contentHandler(served, { chunked: true })(request, response),
    )
    try {
      const sources = [{ type: 'url' as const, url: `${chunked.origin}/tiny.gguf` }, good()]
      const pulling = pull([{ path: 'tiny.gguf', sizeBytes, sources }])
      await expect(pulling).rejects.toMatchObject({ code: 'storage' })
      expect(server.requests).toEqual([])
    } finally {
      await chunked.close()
    }
  })
})

describe('a file without a published hash', () => {
  const unpinned = () => ({ path: 'tiny.gguf', sources: [good()] })

  it('is pinned by the first pull', async () => {
    const { pulled } = await pull([unpinned()])
    expect(pulled).toMatchObject([{ pinned: true }])
    expect(await pins()).toEqual({ 'tiny/tiny.gguf': pinned })
  })

  it('must have the same hash in later pulls', async () => {
    const { folder } = await pull([unpinned()])
    await rm(path.join(folder, 'tiny.gguf'))
    served = randomBytes(60_000)
    await expect(pull([unpinned()])).rejects.toMatchObject({
      code: 'pull_failed',
      message: expect.stringContaining('models.lock.json'),
    })
    expect(await filesBelow(folder)).toEqual([])
    served = content
    expect(await pull([unpinned()])).toMatchObject({ pulled: [{ pinned: false }] })
  })

  it('is pinned if it is already present', async () => {
    const folder = await describePack(modelsDir, 'tiny', [unpinned()])
    await writeFile(path.join(folder, 'tiny.gguf'), content)
    await pull([unpinned()])
    expect(server.requests).toEqual([])
    expect(await pins()).toEqual({ 'tiny/tiny.gguf': pinned })
  })

  it('keeps its pin if other packs are pinned at the same time', async () => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    await Promise.all(names.map((name) => pull([unpinned()], {}, name)))
    expect(Object.keys(await pins())).toEqual(names.map((name) => `${name}/tiny.gguf`))
  })

  it('must match the hash in pack.json once there is one', async () => {
    await pull([unpinned()])
    served = randomBytes(60_000)
    const stated = { sha256: sha256(served), sizeBytes: served.length }
    const { folder } = await pull([{ ...unpinned(), ...stated }])
    expect(sha256(await readFile(path.join(folder, 'tiny.gguf')))).toBe(stated.sha256)
  })

  it('is not pulled while the lock file is damaged', async () => {
    await writeFile(path.join(modelsDir, 'models.lock.json'), '{"version": 1')
    await expect(pull([unpinned()])).rejects.toMatchObject({ code: 'invalid_manifest' })
  })
})

describe('concurrent pulls of the same file', () => {
  it('download it once and all succeed', async () => {
    const file = { path: 'tiny.gguf', ...pinned, sources: [good()] }
    const folder = await describePack(modelsDir, 'tiny', [file])
    const pack = await resolvePack(modelsDir, 'tiny')
    await Promise.all(Array.from({ length: 5 }, () => pullPack(pack, testSettings())))
    expect(server.requests).toHaveLength(1)
    expect(sha256(await readFile(path.join(folder, 'tiny.gguf')))).toBe(pinned.sha256)
    expect(await filesBelow(path.join(modelsDir, '.cache', 'locks'))).toEqual([])
  })

  it('stop waiting for each other when aborted', async () => {
    let finish = (): void => undefined
    const slow = await startServer((_, response) => {
      finish = () => response.end(content)
      response.writeHead(200, { 'content-length': content.length })
      response.flushHeaders()
    })
    try {
      const sources = [{ type: 'url' as const, url: `${slow.origin}/tiny.gguf` }]
      await describePack(modelsDir, 'tiny', [{ path: 'tiny.gguf', ...pinned, sources }])
      const pack = await resolvePack(modelsDir, 'tiny')
      const first = pullPack(pack, testSettings())
      const controller = new AbortController()
      const settings = testSettings({
        signal: controller.signal,
        onNotice: () => controller.abort(),
      })
      while (slow.requests.length === 0) await sleep(5)
      await expect(pullPack(pack, settings)).rejects.toMatchObject({ name: 'AbortError' })
      finish()
      await first
    } finally {
      await slow.close()
    }
  })
})
