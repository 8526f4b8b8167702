import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { resolvePack } from '../../src/packs/pack-folder.js'
import { pullPack } from '../../src/packs/pull-pack.js'
import {
  contentHandler,
  sha256,
  startServer,
  type ContentOptions,
  type LocalServer,
} from './support/model-server.js'
import {
  describePack,
  filesBelow,
  makeModelsDir,
  removeModelsDir,
  testSettings,
  type TestFile,
} from './support/temp-models.js'

type Handler = Parameters<typeof startServer>[0]

const content = randomBytes(300_000)

let modelsDir: string
let server: LocalServer
let handler: Handler

beforeEach(async () => {
  modelsDir = await makeModelsDir()
  server = await startServer((request, response) => handler(request, response))
})

afterEach(async () => {
  await server.close()
  await removeModelsDir(modelsDir)
})

function serve(options: ContentOptions = {}, bytes: Uint8Array = content): void {
  handler = contentHandler(bytes, { beforeCut: untilWritten, ...options })
}

/** Waits until the client has written the sent bytes, so that an interruption loses none in transit. */
async function untilWritten(sizeBytes: number): Promise<void> {
  const part = path.join(modelsDir, 'tiny', 'tiny.gguf.part')
  for (;;) {
    const found = await stat(part).catch(() => undefined)
    if ((found?.size ?? 0) >= sizeBytes) return
    await sleep(5)
  }
}

/** Answers the first requests with these statuses and later ones with the content. */
function failFirst(statuses: number[], headers: Record<string, string> = {}): void {
  const serveContent = contentHandler(content)
  handler = (request, response) => {
    const status = statuses.shift()
    if (status === undefined) serveContent(request, response)
    else response.writeHead(status, headers).end('not the model')
  }
}

async function pull(file: Partial<TestFile> = {}, settings = testSettings()) {
  const url = `${server.origin}/tiny.gguf`
  const described = { path: 'tiny.gguf', sources: [{ type: 'url' as const, url }], ...file }
  const folder = await describePack(modelsDir, 'tiny', [described])
  await pullPack(await resolvePack(modelsDir, 'tiny'), settings)
  return folder
}

const pinned = { sha256: sha256(content), sizeBytes: content.length }
const ranges = () => server.requests.map(({ headers }) => headers.range)

describe('a pull over HTTP', () => {
  it('moves the verified file into place and leaves nothing else', async () => {
    serve()
    const folder = await pull(pinned)
    expect(await filesBelow(folder)).toEqual(['tiny.gguf'])
    expect(sha256(await readFile(path.join(folder, 'tiny.gguf')))).toBe(pinned.sha256)
  })

  it('downloads nothing if the right file is present', async () => {
    serve()
    await pull(pinned)
    await pull(pinned)
    expect(server.requests).toHaveLength(1)
  })

  it('continues after an interrupted connection', async () => {
    serve({ cutAfter: [100_000, 50_000] })
    const folder = await pull(pinned)
    expect(sha256(await readFile(path.join(folder, 'tiny.gguf')))).toBe(pinned.sha256)
    expect(ranges()).toEqual([undefined, 'bytes=100000-', 'bytes=150000-'])
  })

  it('continues the partial download of an earlier pull', async () => {
    serve({ cutAfter: [100_000, 0, 0, 0, 0] })
    await expect(pull(pinned)).rejects.toMatchObject({ code: 'pull_failed' })
    const attempts = server.requests.length
    serve()
    const folder = await pull(pinned)
    expect(server.requests).toHaveLength(attempts + 1)
    expect(ranges().at(-1)).toBe('bytes=100000-')
    expect(await filesBelow(folder)).toEqual(['tiny.gguf'])
  })

  it('starts over if the content has changed', async () => {
    serve({ cutAfter: [100_000, 0, 0, 0, 0] })
    await expect(pull(pinned)).rejects.toMatchObject({ code: 'pull_failed' })
    const changed = randomBytes(200_000)
    serve({}, changed)
    const folder = await pull({ sha256: sha256(changed), sizeBytes: changed.length })
    expect(ranges().at(-1)).toBe('bytes=100000-')
    expect(sha256(await readFile(path.join(folder, 'tiny.gguf')))).toBe(sha256(changed))
  })

  it('starts over on a server that ignores Range', async () => {
    serve({ ranges: 'none', cutAfter: [100_000] })
    const folder = await pull(pinned)
    expect(ranges()).toEqual([undefined, 'bytes=100000-'])
    expect(sha256(await readFile(path.join(folder, 'tiny.gguf')))).toBe(pinned.sha256)
  })

  it('starts over on a server that sends no validator', async () => {
    serve({ etag: '', cutAfter: [100_000] })
    const folder = await pull(pinned)
    expect(ranges()).toEqual([undefined, undefined])
    expect(sha256(await readFile(path.join(folder, 'tiny.gguf')))).toBe(pinned.sha256)
  })

  it('requests nothing more if all bytes arrived before the interruption', async () => {
    serve({ chunked: true, cutAfter: [content.length] })
    await pull(pinned)
    expect(server.requests).toHaveLength(1)
  })

  it('takes a 416 as a sign that the download is complete', async () => {
    serve({ chunked: true, cutAfter: [content.length] })
    const folder = await pull({ sha256: pinned.sha256 })
    expect(ranges()).toEqual([undefined, 'bytes=300000-'])
    expect(await filesBelow(folder)).toEqual(['tiny.gguf'])
  })

  it('sends no Range for a partial download from another URL', async () => {
    serve({ cutAfter: [100_000, 0, 0, 0, 0] })
    await expect(pull(pinned)).rejects.toMatchObject({ code: 'pull_failed' })
    serve()
    const url = `${server.origin}/mirror/tiny.gguf`
    await pull({ ...pinned, sources: [{ type: 'url', url }] })
    expect(ranges().at(-1)).toBeUndefined()
  })

  it('retries later if the server is overloaded', async () => {
    failFirst([429, 500, 503], { 'retry-after': '0' })
    await pull(pinned)
    expect(server.requests).toHaveLength(4)
  })

  it('gives up on a server that stays overloaded', async () => {
    failFirst(Array.from({ length: 20 }, () => 503))
    await expect(pull(pinned)).rejects.toMatchObject({ code: 'pull_failed' })
    expect(server.requests).toHaveLength(5)
  })

  it('gives up on a server that asks to wait for an hour', async () => {
    failFirst([429], { 'retry-after': '3600' })
    await expect(pull(pinned)).rejects.toMatchObject({ code: 'pull_failed' })
    expect(server.requests).toHaveLength(1)
  })

  it.each([400, 401, 403, 404, 410])('does not retry after a %d', async (status) => {
    failFirst([status, status])
    await expect(pull(pinned)).rejects.toMatchObject({ code: 'pull_failed' })
    expect(server.requests).toHaveLength(1)
  })

  it('does not write the body of an error page', async () => {
    failFirst([404])
    const folder = await describePack(modelsDir, 'tiny', [])
    await expect(pull(pinned)).rejects.toMatchObject({ code: 'pull_failed' })
    expect(await filesBelow(folder)).toEqual([])
  })

  it('stops in a redirect loop', async () => {
    handler = (_, response) => response.writeHead(302, { location: '/again' }).end()
    await expect(pull(pinned)).rejects.toMatchObject({ code: 'pull_failed' })
    expect(server.requests.length).toBeLessThan(10)
  })

  describe('refuses and removes', () => {
    const wrong = Buffer.from(content)
    wrong[1_000]! ^= 1

    it.each<[string, ContentOptions, Uint8Array]>([
      ['a file of the right size with a wrong byte', {}, wrong],
      ['a file that is too short', {}, content.subarray(0, 1_000)],
      ['a file that is too long', {}, Buffer.concat([content, content])],
      ['a file that ends early in whole chunks', { chunked: true }, content.subarray(0, 1_000)],
    ])('%s', async (_, options, bytes) => {
      serve(options, bytes)
      await expect(pull(pinned)).rejects.toMatchObject({ code: 'pull_failed' })
      const left = await filesBelow(path.join(modelsDir, 'tiny'))
      expect(left).not.toContain('tiny.gguf')
    })

    it('a file that never ends', async () => {
      handler = (_, response) => {
        const endless = new Readable({ read: () => void endless.push(content) })
        endless.pipe(response)
        response.on('close', () => endless.destroy())
      }
      await expect(pull(pinned)).rejects.toMatchObject({ code: 'pull_failed' })
    })

    it('a compressed file', async () => {
      handler = (_, response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(content))
      await expect(pull()).rejects.toMatchObject({ code: 'pull_failed' })
    })

    it('a file of unknown size and hash', async () => {
      serve({ chunked: true })
      await expect(pull()).rejects.toMatchObject({ code: 'pull_failed' })
    })
  })

  it('removes a wrong file, so that the next pull starts over', async () => {
    const wrong = randomBytes(content.length)
    serve({}, wrong)
    await expect(pull(pinned)).rejects.toMatchObject({ code: 'pull_failed' })
    expect(await filesBelow(path.join(modelsDir, 'tiny'))).toEqual([])
    serve()
    await pull(pinned)
    expect(ranges().at(-1)).toBeUndefined()
  })

  it('does not use the network in offline mode', async () => {
    serve()
    const offline = testSettings({ offline: true })
    await expect(pull(pinned, offline)).rejects.toMatchObject({ code: 'pull_failed' })
    expect(server.requests).toEqual([])
  })

  it('reports progress that never decreases or exceeds the total', async () => {
    serve({ cutAfter: [100_000] })
    const seen: number[] = []
    await pull(
      pinned,
      testSettings({
        onProgress: ({ phase, doneBytes, totalBytes }) => {
          expect(totalBytes).toBe(content.length)
          if (phase === 'download') seen.push(doneBytes)
        },
      }),
    )
    expect(seen.at(-1)).toBe(content.length)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
  })

  it('stops when aborted and keeps the partial download', async () => {
    const controller = new AbortController()
    serve({ cutAfter: [100_000], beforeCut: () => new Promise(() => undefined) })
    const pulling = pull(pinned, testSettings({ signal: controller.signal }))
    await untilWritten(100_000)
    controller.abort()
    await expect(pulling).rejects.toMatchObject({ name: 'AbortError' })
    serve()
    await pull(pinned)
    expect(ranges()).toEqual([undefined, 'bytes=100000-'])
  })
})
