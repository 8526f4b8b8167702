import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { packManifest } from '../../src/models/manifest.js'

const modelsDir = path.resolve('models')
const entries = await readdir(modelsDir, { recursive: true })
const names = entries
  .filter((entry) => path.basename(entry) === 'pack.json')
  .map((entry) => path.dirname(entry))

async function readManifest(name: string) {
  const text = await readFile(path.join(modelsDir, name, 'pack.json'), 'utf8')
  return packManifest.parse(JSON.parse(text))
}

describe('the packs in the repository', () => {
  it.each(names)('%s is described completely', async (name) => {
    const manifest = await readManifest(name)
    expect(manifest.name).toBe(name)
    for (const file of manifest.files) {
      expect(file.sha256).toBeDefined()
      expect(file.sizeBytes).toBeDefined()
    }
  })

  it('take every hub file from a fixed commit', async () => {
    const manifests = await Promise.all(names.map(readManifest))
    const sources = manifests.flatMap(({ files }) => files.flatMap((file) => file.sources))
    const revisions = sources.flatMap((s) => (s.type === 'huggingface' ? [s.revision] : []))
    expect(revisions).not.toEqual([])
    expect(revisions.filter((revision) => !/^[0-9a-f]{40}$/.test(revision))).toEqual([])
  })

  it('cover each role', async () => {
    const manifests = await Promise.all(names.map(readManifest))
    const roles = new Set(manifests.map((manifest) => manifest.role))
    expect([...roles].sort()).toEqual(['clip', 'llm', 'photo-safety'])
  })
})
