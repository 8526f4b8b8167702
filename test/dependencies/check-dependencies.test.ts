import { readFileSync } from 'node:fs'
import { isAllowedLicence } from '../../src/tools/dependencies/allowed-licences.js'
import {
  checkDependencies,
  lockSchema,
  packageSchema,
} from '../../src/tools/dependencies/check-dependencies.js'

const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

describe('the dependencies of this project', () => {
  it('have exact versions, hashes and allowed licences', () => {
    const manifests = ['package.json', 'client/package.json'].map((file) =>
      packageSchema.parse(read(file)),
    )
    expect(checkDependencies(manifests, lockSchema.parse(read('package-lock.json')))).toEqual([])
  })
})

describe('a licence', () => {
  it.each([
    ['MIT', true],
    ['(MIT OR WTFPL)', true],
    ['(BSD-2-Clause OR MIT OR Apache-2.0)', true],
    ['Apache-2.0 AND LGPL-3.0-or-later AND MIT', true],
    ['GPL-3.0-only', false],
    ['MIT AND GPL-3.0-only', false],
    ['(GPL-3.0-only OR AGPL-3.0-only)', false],
    ['MIT AND (GPL-3.0-only OR ISC)', true],
    ['UNLICENSED', false],
    ['', false],
    ['MIT OR', false],
    ['(MIT', false],
    ['MIT MIT', false],
  ])('%s is allowed: %s', (expression, allowed) => {
    expect(isAllowedLicence(expression)).toBe(allowed)
  })
})

describe('a dependency', () => {
  const manifest = (dependencies: Record<string, string>) => [
    packageSchema.parse({ name: 'ours', dependencies }),
  ]
  const lockOf = (entry: object) =>
    lockSchema.parse({ packages: { '': {}, ours: {}, 'node_modules/@a/b': entry } })
  const good = { version: '1.0.0', license: 'MIT', integrity: 'sha512-x' }

  it.each(['^1.0.0', '1.x', 'latest', '*', 'git+ssh://host/a.git', 'npm:@a/b@^1.0.0'])(
    'with the version %s is refused',
    (version) => {
      expect(checkDependencies(manifest({ '@a/b': version }), lockOf(good))).toHaveLength(1)
    },
  )

  it.each(['1.0.0', '1.0.0-beta.2', 'npm:@a/b@1.0.0'])('may have the version %s', (version) => {
    expect(checkDependencies(manifest({ '@a/b': version }), lockOf(good))).toEqual([])
  })

  it('without a hash is refused', () => {
    const { integrity: _missing, ...rest } = good
    expect(checkDependencies(manifest({}), lockOf(rest))).toEqual([
      '@a/b has no hash in package-lock.json',
    ])
  })

  it('with another licence is refused in production and allowed for development', () => {
    const other = { ...good, license: 'GPL-3.0-only' }
    expect(checkDependencies(manifest({}), lockOf(other))).toHaveLength(1)
    expect(checkDependencies(manifest({}), lockOf({ ...other, dev: true }))).toEqual([])
  })
})
