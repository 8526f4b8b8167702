import { readFileSync } from 'node:fs'
import { describeModels } from '../../src/tools/dependencies/describe-models.js'

it('lists every file of a model pack with its hash', () => {
  const pack = JSON.parse(readFileSync('models/match-minilm/pack.json', 'utf8')) as {
    files: { path: string; sha256: string }[]
  }
  const component = describeModels('models').find(({ name }) => name === 'match-minilm')
  expect(component).toMatchObject({
    type: 'machine-learning-model',
    components: pack.files.map(({ path, sha256 }) => ({
      name: path,
      hashes: [{ alg: 'SHA-256', content: sha256 }],
    })),
  })
})
