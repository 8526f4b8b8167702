import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from '@jest/globals'

const USE_CASES = ['preferences', 'match', 'openers', 'events', 'usage', 'portal']
const FOUNDATIONS = ['inference', 'photos', 'organizations', 'database', 'models', 'safety', 'text']

interface Import {
  from: string
  to: string
  isTypeOnly: boolean
}

const files = readdirSync('src', { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => path.join(entry.parentPath, entry.name))
const sources = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]))
const imports = [...sources].flatMap(([file, text]) => listImports(file, text))

function listImports(file: string, text: string): Import[] {
  const statements = text.matchAll(/^(?:import|export)\s([^'"]*?)\sfrom\s+'([^']+)'/gms)
  return [...statements].map(([, names = '', to = '']) => ({
    from: path.relative('src', file),
    to: to.startsWith('.') ? path.relative('src', path.join(path.dirname(file), to)) : to,
    isTypeOnly: names.startsWith('type '),
  }))
}

const folderOf = (file: string) => (file.includes('/') ? file.split('/')[0]! : '')
const describeImport = ({ from, to }: Import) => `${from} imports ${to}`

describe('the source tree', () => {
  it('is read by this test', () => {
    expect(imports.length).toBeGreaterThan(files.length)
    expect(imports).toContainEqual({ from: 'main.ts', to: 'serve.js', isTypeOnly: false })
  })

  it('imports from use cases down to foundations, never up', () => {
    const upward = imports.filter(
      ({ from, to, isTypeOnly }) =>
        !isTypeOnly &&
        FOUNDATIONS.includes(folderOf(from)) &&
        (USE_CASES.includes(folderOf(to)) || /^(?:main|serve|app|context|endpoint)\.js$/.test(to)),
    )
    expect(upward.map(describeImport)).toEqual([])
  })

  it('keeps the database below everything else', () => {
    const upward = imports.filter(
      ({ from, to, isTypeOnly }) =>
        !isTypeOnly &&
        folderOf(from) === 'database' &&
        [...USE_CASES, 'inference', 'photos', 'organizations', 'models'].includes(folderOf(to)),
    )
    expect(upward.map(describeImport)).toEqual([])
  })

  it('loads native inference in the workers only', () => {
    const native = /^(?:onnxruntime-node|sharp|node-llama-cpp|@xenova\/transformers)$/
    const elsewhere = imports.filter(
      ({ from, to, isTypeOnly }) =>
        !isTypeOnly && native.test(to) && folderOf(from) !== 'inference',
    )
    expect(elsewhere.map(describeImport)).toEqual([])
  })

  it('sends HTTP requests from the photo fetcher, the model downloads and the identity provider only', () => {
    const client = /^(?:got|undici|node:https|openid-client)$/
    const elsewhere = imports.filter(
      ({ from, to, isTypeOnly }) =>
        !isTypeOnly &&
        client.test(to) &&
        !['photos', 'models'].includes(folderOf(from)) &&
        from !== 'portal/access/identity-provider.ts',
    )
    const callsFetch = [...sources].filter(([, text]) => /(?<![.\w])fetch\(/.test(text))
    expect(elsewhere.map(describeImport)).toEqual([])
    expect(
      callsFetch.map(([file]) => file).filter((file) => !/photos|portal\/browser/.test(file)),
    ).toEqual([])
  })

  it('reads the environment in one place', () => {
    const readers = [...sources].filter(([, text]) => text.includes('process.env'))
    const inServer = readers.map(([file]) => file).filter((file) => !/portal\/browser/.test(file))
    // Browsers have no environment: their code only shows partners how to read theirs.
    expect(inServer).toEqual(['src/config/config.ts'])
  })
})
