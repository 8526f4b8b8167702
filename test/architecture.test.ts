import { findCircles, readSourceTree, type SourceImport } from './_source-imports.js'

/**
 * Folders and files of `src`, from the entry down to the foundations. Each may import those below it and never one above:
 * docs/architecture.md says what each holds.
 */
const LAYERS = [
  'main.ts',
  'tools',
  'cli',
  'doctor',
  'server',
  'http',
  'context.ts',
  'portal',
  'openapi',
  'data-rights',
  'transfer',
  'backup',
  'retention',
  'usage',
  'learning',
  'events',
  'match',
  'preferences',
  'openers',
  'profile',
  'photos',
  'safety',
  'inference',
  'packs',
  'accounts',
  'metering',
  'telemetry',
  'organizations',
  'database',
  'text',
  'config',
  'core',
] as const

/** They wrap or open the service; everybody else takes the parts that they need. */
const USES_WHOLE_CONTEXT = ['http', 'server', 'tools']

const { texts, imports } = readSourceTree()
const inTree = imports.filter(({ to }) => texts.has(to))
const placeOf = (file: string) => (file.includes('/') ? file.split('/')[0]! : file)
const layerOf = (file: string) => LAYERS.indexOf(placeOf(file) as (typeof LAYERS)[number])
const describeImport = ({ from, to }: SourceImport) => `${from} imports ${to}`

describe('the source tree', () => {
  it('is read by this test, type imports included', () => {
    expect(inTree.length).toBeGreaterThan(texts.size)
    expect(inTree).toContainEqual({
      from: 'context.ts',
      to: 'inference/language/prompts.ts',
      isTypeOnly: true,
    })
  })

  it('has a layer for every folder, and a handful of files at its root', () => {
    const places = new Set([...texts.keys()].map(placeOf))
    expect([...places].sort()).toEqual([...LAYERS].sort())
    expect([...places].filter((place) => place.includes('.')).length).toBeLessThanOrEqual(5)
  })

  it('imports downwards only', () => {
    const upward = inTree.filter(({ from, to }) => layerOf(to) < layerOf(from))
    expect(upward.map(describeImport)).toEqual([])
  })

  it('has no import circles', () => {
    expect(findCircles(inTree)).toEqual([])
  })

  it('would find an import circle', () => {
    const from = inTree.find(({ to }) => to === 'core/service-error.ts')!.from
    const back = { from: 'core/service-error.ts', to: from, isTypeOnly: true }
    expect(findCircles([...inTree, back])).not.toEqual([])
  })

  it('keeps contracts free of the code that fulfils them', () => {
    const allowed = /^(?:zod$|core\/|profile\/)/
    const others = imports.filter(
      ({ from, to }) =>
        from.endsWith('-contract.ts') && !allowed.test(to) && placeOf(to) !== placeOf(from),
    )
    expect(others.map(describeImport)).toEqual([])
  })

  it('hands the whole context to the layers that wrap the service, and to nobody else', () => {
    const users = inTree.filter(
      ({ from, to }) => to === 'context.ts' && !USES_WHOLE_CONTEXT.includes(placeOf(from)),
    )
    expect(users.map(describeImport)).toEqual([])
  })

  it('loads native inference in the workers only', () => {
    const native = /^(?:onnxruntime-node|sharp|node-llama-cpp|@xenova\/transformers)$/
    // The doctor tries each module in a process of its own; merging reads GGUF headers and computes nothing.
    const exceptions = ['doctor/load-native-module.ts', 'packs/gguf/gguf-file.ts']
    const elsewhere = imports.filter(
      ({ from, to, isTypeOnly }) =>
        !isTypeOnly &&
        native.test(to) &&
        !['inference', 'tools'].includes(placeOf(from)) &&
        !exceptions.includes(from),
    )
    expect(elsewhere.map(describeImport)).toEqual([])
  })

  it('sends HTTP requests from the photo fetcher, the model downloads, the engines and the identity provider only', () => {
    const client = /^(?:got|undici|node:https|openid-client)$/
    const elsewhere = imports.filter(
      ({ from, to, isTypeOnly }) =>
        !isTypeOnly &&
        client.test(to) &&
        !['photos', 'packs', 'tools'].includes(placeOf(from)) &&
        !from.startsWith('inference/engines/') &&
        from !== 'accounts/identity-provider.ts',
    )
    expect(elsewhere.map(describeImport)).toEqual([])
    const callsFetch = [...texts].filter(([, text]) => /(?<![.\w])fetch\(/.test(text))
    const callers = callsFetch.map(([file]) => file)
    const allowed = /^(?:photos|portal\/browser|tools|inference\/language\/engines)\//
    expect(callers.filter((file) => !allowed.test(file))).toEqual([])
  })

  it('reads the environment in one place', () => {
    const readers = [...texts].filter(([, text]) => text.includes('process.env'))
    // Browsers have no environment: their code shows partners how to read theirs.
    const inService = readers
      .map(([file]) => file)
      .filter((file) => !/^(?:portal\/browser|tools)\//.test(file))
    expect(inService).toEqual(['config/config.ts'])
  })
})
