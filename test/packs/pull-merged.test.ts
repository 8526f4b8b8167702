import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { openPack } from '../../src/packs/open-pack.js'
import { resolvePack } from '../../src/packs/pack-folder.js'
import { pullPack } from '../../src/packs/pull-pack.js'
import { llmWeights } from '../../src/packs/role-sections.js'
import { sha256 } from './support/model-server.js'
import {
  describePack,
  filesBelow,
  makeModelsDir,
  removeModelsDir,
  testSettings,
} from './support/temp-models.js'

const fixture = (file: string) => path.resolve('test/packs/fixtures/merge', file)

let modelsDir: string

beforeEach(async () => {
  modelsDir = await makeModelsDir()
})

afterEach(async () => {
  await removeModelsDir(modelsDir)
})

/** Describes a pack whose files are copied from the fixtures, except for the merged model. */
async function describeTiny({ hash }: { hash?: string } = {}): Promise<string> {
  const copyOf = (file: string) => ({
    path: file,
    sources: [{ type: 'path' as const, path: fixture(file) }],
  })
  const expected = hash ?? sha256(await readFile(fixture('merged.gguf')))
  const made = { path: 'merged.gguf', sha256: expected, sources: [{ type: 'merged' as const }] }
  const files = [copyOf('model.gguf'), made, copyOf('adapter.gguf')]
  return await describePack(modelsDir, 'tiny', files, {
    adapter: 'adapter.gguf',
    merged: 'merged.gguf',
  })
}

const pull = async () =>
  await pullPack(await resolvePack(modelsDir, 'tiny'), testSettings({ offline: true }))

describe('the merged file of a language pack', () => {
  it('is created from model and adapter without a network', async () => {
    const folder = await describeTiny()
    await pull()

    expect(await readFile(path.join(folder, 'merged.gguf'))).toEqual(
      await readFile(fixture('merged.gguf')),
    )
  })

  it('is loaded instead of model and adapter', async () => {
    const folder = await describeTiny()
    await pull()
    const { llm } = await openPack({ modelsDir }, 'tiny', 'llm')

    expect(llmWeights(llm)).toEqual({ model: path.join(folder, 'merged.gguf') })
  })

  it('is created again if it is missing or damaged', async () => {
    const folder = await describeTiny()
    await pull()
    await rm(path.join(folder, 'merged.gguf'))
    await pull()
    await writeFile(path.join(folder, 'merged.gguf'), 'damaged')
    const pulled = await pull()

    expect(pulled.filter(({ source }) => source).map(({ file }) => file.path)).toEqual([
      'merged.gguf',
    ])
    expect(sha256(await readFile(path.join(folder, 'merged.gguf')))).toBe(
      sha256(await readFile(fixture('merged.gguf'))),
    )
  })

  it('is discarded if its hash differs from pack.json', async () => {
    const folder = await describeTiny({ hash: '0'.repeat(64) })
    await expect(pull()).rejects.toMatchObject({
      code: 'pull_failed',
      message: expect.stringContaining('local merge of model and adapter'),
    })
    expect(await filesBelow(folder)).toEqual(['adapter.gguf', 'model.gguf'])
  })

  it('is refused with the tensor that does not fit', async () => {
    const folder = await describeTiny()
    await pull()
    await rm(path.join(folder, 'merged.gguf'))
    // Removes the hashes that the first pull pinned.
    await rm(path.join(modelsDir, 'models.lock.json'))
    await copyFile(fixture('model.gguf'), path.join(folder, 'adapter.gguf'))
    await expect(pull()).rejects.toMatchObject({
      code: 'pull_failed',
      message: expect.stringContaining('is not part of a LoRA'),
    })
  })
})
