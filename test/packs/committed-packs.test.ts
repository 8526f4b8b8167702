import { readFile, readdir } from 'node:fs/promises'
import path from 'node:path'
import { hashFile } from '../../src/packs/file-hash.js'
import { packFileKey, packFilePath, resolvePack } from '../../src/packs/pack-folder.js'

/** Listed by name, because a checkout may contain other packs. */
const SHIPPED = [
  'bio-safety-e5-small',
  'clip-lite',
  'clip-vit-base-patch32',
  'clip-vit-base-patch32-quantized',
  'match-minilm',
  'open-nsfw',
  'qwen2.5-1.5b-instruct',
  'qwen2.5-7b-instruct',
  'qwen2.5-coder-0.5b-instruct',
  'qwen2.5-coder-1.5b-instruct',
  'smollm2-135m-openers',
]

const modelsDir = path.resolve('models')
const packs = await Promise.all(SHIPPED.map((name) => resolvePack(modelsDir, name)))
const manifests = packs.map((pack) => pack.manifest)

describe('the packs in the repository', () => {
  it.each(manifests)('$name states size and hash of every file', ({ files }) => {
    expect(files.filter(({ sha256, sizeBytes }) => !sha256 || !sizeBytes)).toEqual([])
  })

  it('contain the files that are not fetched', async () => {
    const committed = packs.flatMap((pack) => {
      const files = pack.manifest.files.filter((file) =>
        file.sources.every(({ type }) => type === 'repository'),
      )
      return files.map((file) => ({ pack, file }))
    })
    expect(committed.map(({ pack, file }) => packFileKey(pack, file))).toContain(
      'smollm2-135m-openers/adapter.gguf',
    )
    for (const { pack, file } of committed) {
      expect(await hashFile(packFilePath(pack, file))).toBe(file.sha256)
    }
  })

  it('contain the prompts of their language models', async () => {
    for (const { folder, manifest } of packs) {
      if (manifest.role !== 'llm') continue
      const prompts = path.join(folder, manifest.llm.prompts)
      expect(await readdir(prompts)).not.toEqual([])
    }
  })

  it('fetch Hub files from a fixed commit', () => {
    const sources = manifests.flatMap(({ files }) => files.flatMap((file) => file.sources))
    const revisions = sources.flatMap((s) => (s.type === 'huggingface' ? [s.revision] : []))
    expect(revisions).not.toEqual([])
    expect(revisions.filter((revision) => !/^[0-9a-f]{40}$/.test(revision))).toEqual([])
  })

  it.each(['models/README.md', 'THIRD_PARTY_NOTICES.md'])('are all listed in %s', async (file) => {
    const text = await readFile(file, 'utf8')
    expect(SHIPPED.filter((name) => !text.includes(`\`${name}\``))).toEqual([])
  })

  it('cover each role', () => {
    const roles = new Set(manifests.map((manifest) => manifest.role))
    expect([...roles].sort()).toEqual(['bio-safety', 'clip', 'llm', 'match', 'photo-safety'])
  })
})
