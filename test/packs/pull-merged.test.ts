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

const fixture = (file: string) => path.resolve('test/models/fixtures/merge', file)

let modelsDir: string

beforeEach(async () => {
  modelsDir = await makeModelsDir()
})

afterEach(async () => {
  await removeModelsDir(modelsDir)
})

/** A pack of which all but the merged model is copied from the fixtures. */
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

describe('a language model whose adapter is merged', () => {
  it('is made once its parts are there, without a network', async () => {
    const folder = await describeTiny()
    await pull()

    expect(await readFile(path.join(folder, 'merged.gguf'))).toEqual(
      await readFile(fixture('merged.gguf')),
    )
  })

  it('is what is loaded, in place of the model and the adapter', async () => {
    const folder = await describeTiny()
    await pull()
    const { llm } = await openPack({ modelsDir }, 'tiny', 'llm')

    expect(llmWeights(llm)).toEqual({ model: path.join(folder, 'merged.gguf') })
  })

  it('is made again from its parts when it is gone or damaged', async () => {
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

  it('is not kept when it is another than pack.json says', async () => {
    const folder = await describeTiny({ hash: '0'.repeat(64) })
    await expect(pull()).rejects.toMatchObject({
      code: 'pull_failed',
      message: expect.stringContaining('the model and the adapter, merged here'),
    })
    expect(await filesBelow(folder)).toEqual(['adapter.gguf', 'model.gguf'])
  })

  it('says which part does not fit', async () => {
    const folder = await describeTiny()
    await pull()
    await rm(path.join(folder, 'merged.gguf'))
    // What was pinned is of the first pull.
    await rm(path.join(modelsDir, 'models.lock.json'))
    await copyFile(fixture('model.gguf'), path.join(folder, 'adapter.gguf'))
    await expect(pull()).rejects.toMatchObject({
      code: 'pull_failed',
      message: expect.stringContaining('which is not of a LoRA'),
    })
  })
})
