import { randomBytes } from 'node:crypto'
import { appendFile, mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ensurePack } from '../../src/packs/ensure-pack.js'
import { openPack } from '../../src/packs/open-pack.js'
import { sha256 } from './support/model-server.js'
import { describePack, filesBelow, makeModelsDir, removeModelsDir } from './support/temp-models.js'

const content = randomBytes(20_000)
const pinned = { sha256: sha256(content), sizeBytes: content.length }
const repository = { type: 'repository' as const }

let modelsDir: string
let folder: string
let model: string

beforeEach(async () => {
  modelsDir = await makeModelsDir()
  folder = await describePack(modelsDir, 'tiny', [
    { path: 'tiny.gguf', ...pinned, sources: [repository] },
  ])
  model = path.join(folder, 'tiny.gguf')
  await writeFile(model, content)
})

afterEach(() => removeModelsDir(modelsDir))

function config() {
  return {
    modelsDir,
    modelsOffline: true,
    hub: { endpoint: 'http://127.0.0.1:1' },
    secrets: { hubToken: undefined },
  }
}

const open = () => openPack(config(), 'tiny', 'llm')

describe('opening a pack', () => {
  it('returns absolute paths and the settings of the role', async () => {
    expect(await open()).toMatchObject({
      name: 'tiny',
      role: 'llm',
      llm: { model, prompts: path.join(modelsDir, 'prompts'), contextSize: 1024 },
    })
  })

  it('returns plain data that can be sent to a worker process', async () => {
    const pack = await open()
    expect(structuredClone(pack)).toEqual(pack)
  })

  it('refuses a file with one wrong byte', async () => {
    const wrong = Buffer.from(content)
    wrong[10_000]! ^= 1
    await writeFile(model, wrong)
    await expect(open()).rejects.toMatchObject({ code: 'corrupt' })
  })

  it('refuses a file that was changed after verification, even with its old date', async () => {
    const date = new Date('2020-01-01')
    await utimes(model, date, date)
    await open()
    const wrong = Buffer.from(content)
    wrong[10_000]! ^= 1
    await writeFile(model, wrong)
    await utimes(model, date, date)
    await expect(open()).rejects.toMatchObject({ code: 'corrupt' })
  })

  it('refuses a file of another size', async () => {
    await appendFile(model, 'x')
    await expect(open()).rejects.toMatchObject({ code: 'corrupt' })
  })

  it('refuses a folder in place of a file', async () => {
    await rm(model)
    await mkdir(model)
    await expect(open()).rejects.toMatchObject({ code: 'corrupt' })
  })

  it('refuses a missing file', async () => {
    await rm(model)
    await expect(open()).rejects.toMatchObject({ code: 'missing' })
  })

  it('refuses missing prompts', async () => {
    await rm(path.join(modelsDir, 'prompts'), { recursive: true })
    await expect(open()).rejects.toMatchObject({ code: 'missing' })
  })

  it('refuses a file without an expected hash', async () => {
    await describePack(modelsDir, 'tiny', [{ path: 'tiny.gguf', sources: [repository] }])
    await expect(open()).rejects.toMatchObject({ code: 'not_verified' })
  })

  it('refuses a pack of another role', async () => {
    await expect(openPack(config(), 'tiny', 'clip')).rejects.toMatchObject({ code: 'wrong_role' })
  })

  it.each(['absent', '..', '../tiny', '.cache', 'prompts', ''])(
    'refuses %j, which is not a pack',
    async (name) => {
      await expect(openPack(config(), name)).rejects.toMatchObject({ code: 'unknown_pack' })
    },
  )

  it.each(['{', '[]', '{"name": "tiny"}', ''])('refuses %j as a manifest', async (text) => {
    await writeFile(path.join(folder, 'pack.json'), text)
    await expect(open()).rejects.toMatchObject({ code: 'invalid_manifest' })
  })

  it('refuses a manifest with the name of another pack', async () => {
    const text = await readFile(path.join(folder, 'pack.json'), 'utf8')
    await mkdir(path.join(modelsDir, 'copy'))
    await writeFile(path.join(modelsDir, 'copy', 'pack.json'), text)
    await expect(openPack(config(), 'copy')).rejects.toMatchObject({ code: 'invalid_manifest' })
  })

  it('works without a hash cache', async () => {
    // A file in place of the cache folder simulates a read-only MODELS_DIR.
    await writeFile(path.join(modelsDir, '.cache'), '')
    expect(await ensurePack(config(), 'tiny')).toMatchObject({ name: 'tiny' })
  })
})

describe('the revision of a pack', () => {
  it('stays the same while the pack does not change', async () => {
    expect((await open()).revision).toBe((await open()).revision)
  })

  it('changes with a file', async () => {
    const before = await open()
    const changed = randomBytes(20_000)
    await writeFile(model, changed)
    await describePack(modelsDir, 'tiny', [
      { path: 'tiny.gguf', sha256: sha256(changed), sources: [repository] },
    ])
    expect((await open()).revision).not.toBe(before.revision)
  })

  it('changes with how the model is used, not with its title', async () => {
    const file = path.join(folder, 'pack.json')
    const text = await readFile(file, 'utf8')
    const before = await open()
    await writeFile(file, text.replace('"Test pack tiny"', '"Another title"'))
    const retitled = await open()
    await writeFile(file, text.replace('"temperature":0.5', '"temperature":0.6'))
    const reset = await open()
    expect(retitled).toMatchObject({ title: 'Another title', revision: before.revision })
    expect(reset.revision).not.toBe(before.revision)
  })
})

describe('ensuring a pack', () => {
  it('writes nothing into a complete pack', async () => {
    await ensurePack(config(), 'tiny')
    expect(await filesBelow(folder)).toEqual(['tiny.gguf'])
  })

  it('pulls missing files', async () => {
    const original = path.join(modelsDir, 'original.gguf')
    await writeFile(original, content)
    const sources = [{ type: 'path' as const, path: original }]
    await describePack(modelsDir, 'tiny', [{ path: 'tiny.gguf', ...pinned, sources }])
    await rm(model)
    expect(await ensurePack(config(), 'tiny')).toMatchObject({ llm: { model } })
  })

  it('fails if no source works', async () => {
    await rm(model)
    await expect(ensurePack(config(), 'tiny')).rejects.toMatchObject({ code: 'pull_failed' })
  })

  it('reports the progress of hashing', async () => {
    const seen: number[] = []
    await ensurePack(config(), 'tiny', { onProgress: ({ doneBytes }) => seen.push(doneBytes) })
    expect(seen.at(-1)).toBe(content.length)
  })
})
