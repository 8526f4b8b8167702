import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { resolvePack } from '../../src/packs/pack-folder.js'
import { pullPack } from '../../src/packs/pull-pack.js'
import { contentHandler, sha256, startServer, type LocalServer } from './support/model-server.js'
import {
  describePack,
  filesBelow,
  makeModelsDir,
  removeModelsDir,
  testSettings,
  type TestFile,
} from './support/temp-models.js'

const content = randomBytes(200_000)
const revision = '0123456789abcdef0123456789abcdef01234567'
const filePath = `/owner/tiny/resolve/${revision}/onnx/tiny.gguf`

let modelsDir: string
let hub: LocalServer
let storage: LocalServer
/** Content and headers of the Hub and of the storage behind it. */
let stored: Buffer
let linkedEtag: string | undefined
let storageEtag: string
let neededToken: string | undefined
let cutAfter: number[]

beforeEach(async () => {
  stored = content
  linkedEtag = `"${sha256(content)}"`
  storageEtag = '"storage-etag"'
  neededToken = undefined
  cutAfter = []
  modelsDir = await makeModelsDir()
  const beforeCut = async () => undefined
  storage = await startServer((request, response) =>
    contentHandler(stored, { etag: storageEtag, cutAfter: cutAfter.splice(0, 1), beforeCut })(
      request,
      response,
    ),
  )
  hub = await startServer((request, response) => {
    if (neededToken && request.headers.authorization !== `Bearer ${neededToken}`) {
      response.writeHead(request.headers.authorization ? 403 : 401).end()
    } else if (request.url?.replace('/mirror', '') !== filePath) {
      response.writeHead(404).end()
    } else {
      const location = `${storage.origin}/blob?signature=abc`
      const linked = linkedEtag && { 'x-linked-etag': linkedEtag, 'x-linked-size': stored.length }
      response.writeHead(302, { location, ...linked, 'x-repo-commit': revision }).end('Found')
    }
  })
})

afterEach(async () => {
  await hub.close()
  await storage.close()
  await removeModelsDir(modelsDir)
})

async function pull(file: Partial<TestFile> = {}, token?: string, endpoint = hub.origin) {
  const source = { type: 'huggingface' as const, repo: 'owner/tiny', path: 'onnx/tiny.gguf' }
  const described = { path: 'tiny.gguf', sources: [{ ...source, revision }], ...file }
  const folder = await describePack(modelsDir, 'tiny', [described])
  const settings = testSettings({ hub: { endpoint, token } })
  await pullPack(await resolvePack(modelsDir, 'tiny'), settings)
  return folder
}

async function lockedHashes(): Promise<unknown> {
  const text = await readFile(path.join(modelsDir, 'models.lock.json'), 'utf8').catch(() => '{}')
  return JSON.parse(text)
}

describe('a pull from the Hub', () => {
  it('follows the redirect to the storage', async () => {
    const folder = await pull({ sha256: sha256(content) })
    expect(await filesBelow(folder)).toEqual(['tiny.gguf'])
    expect(hub.requests.map(({ path }) => path)).toEqual([filePath])
  })

  it('works with a mirror under a path', async () => {
    await pull({ sha256: sha256(content) }, undefined, `${hub.origin}/mirror/`)
    expect(hub.requests.map(({ path }) => path)).toEqual([`/mirror${filePath}`])
  })

  it('sends the token only to the Hub', async () => {
    neededToken = 'hf_secret'
    await pull({ sha256: sha256(content) }, 'hf_secret')
    expect(hub.requests[0]?.headers.authorization).toBe('Bearer hf_secret')
    expect(storage.requests).toHaveLength(1)
    expect(storage.requests[0]?.headers.authorization).toBeUndefined()
  })

  it('explains that the Hub requires a token', async () => {
    neededToken = 'hf_secret'
    await expect(pull()).rejects.toMatchObject({
      code: 'pull_failed',
      message: expect.stringContaining('HF_TOKEN'),
    })
  })

  it('never includes the token in an error', async () => {
    neededToken = 'hf_secret'
    const error: unknown = await pull({}, 'hf_wrong').catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'pull_failed' })
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('hf_wrong')
  })

  it('continues through the redirect after an interruption', async () => {
    // An interruption may lose bytes in transit; with many of them some bytes arrive.
    cutAfter = Array.from({ length: 4 }, () => 90_000)
    const folder = await pull({ sha256: sha256(content) })
    expect(sha256(await readFile(path.join(folder, 'tiny.gguf')))).toBe(sha256(content))
    expect(storage.requests.length).toBeGreaterThan(1)
    expect(hub.requests).toHaveLength(storage.requests.length)
  })

  it('refuses a file with another hash before downloading it', async () => {
    stored = randomBytes(200_000)
    linkedEtag = `"${sha256(stored)}"`
    await expect(pull({ sha256: sha256(content) })).rejects.toMatchObject({ code: 'pull_failed' })
    expect(storage.requests).toEqual([])
  })

  it('refuses content that differs from the published hash, and pins nothing', async () => {
    stored = randomBytes(200_000)
    await expect(pull()).rejects.toMatchObject({ code: 'pull_failed' })
    expect(await filesBelow(path.join(modelsDir, 'tiny'))).toEqual([])
    expect(await lockedHashes()).toEqual({})
  })

  it('pins the published hash', async () => {
    await pull()
    expect(await lockedHashes()).toMatchObject({
      files: { 'tiny/tiny.gguf': { sha256: sha256(content), sizeBytes: content.length } },
    })
  })

  it('pins the hash of a small file, for which the Hub publishes only a git hash', async () => {
    linkedEtag = '"9fd691f7c8039210e0fced15865466c65820d09b"'
    await pull()
    expect(await lockedHashes()).toMatchObject({
      files: { 'tiny/tiny.gguf': { sha256: sha256(content) } },
    })
  })

  it('does not mistake the ETag of the storage for a hash of the file', async () => {
    linkedEtag = undefined
    storageEtag = `"${sha256(Buffer.from('another'))}"`
    await pull()
    expect(await lockedHashes()).toMatchObject({
      files: { 'tiny/tiny.gguf': { sha256: sha256(content) } },
    })
  })

  it('reports which file is missing', async () => {
    const sources = [
      { type: 'huggingface' as const, repo: 'owner/tiny', path: 'missing.gguf', revision },
    ]
    await expect(pull({ sources })).rejects.toMatchObject({
      code: 'pull_failed',
      message: expect.stringContaining('missing.gguf'),
    })
  })
})
