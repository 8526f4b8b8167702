import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { readGraph, type OnnxGraph } from '../../../src/inference/encoder/onnx/onnx-graph.js'
import { leaveOutUnreadTokens } from '../../../src/inference/encoder/onnx/unread-tokens.js'
import { readFields, textOf, valuesOf } from '../../../src/inference/encoder/onnx/wire-fields.js'
import {
  encodeOnnx,
  FEATURES,
  imageTower,
  node,
  olderImageTower,
  readFirstToken,
  type TestModel,
  type TestNode,
} from './_onnx-models.js'

const fixture = fileURLToPath(new URL('fixtures/run-tower.js', import.meta.url))

interface TowerRun {
  /** Bytes of the embeddings of one, two and three images. */
  rows?: string[]
  error?: { name: string; message: string }
}

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'tower-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true })
})

/** Opens a file as it is, or `checked` as the vision tower is opened. */
async function runTower(file: string, mode: 'plain' | 'checked'): Promise<TowerRun> {
  const { stdout } = await promisify(execFile)(process.execPath, [fixture, file, mode])
  return JSON.parse(stdout) as TowerRun
}

async function writeModel(name: string, bytes: Uint8Array): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, bytes)
  return file
}

function lighter(model: TestModel): Uint8Array | undefined {
  return leaveOutUnreadTokens(encodeOnnx(model).bytes)
}

function graphOf(bytes: Uint8Array | undefined): OnnxGraph {
  const graph = bytes && readGraph(readFields(bytes))
  if (!graph) throw new Error('there is no graph')
  return graph
}

describe('leaving out tokens that nothing reads', () => {
  it('takes the first token before what treats tokens one by one', () => {
    const { nodes } = graphOf(lighter(imageTower()))

    const reads = Object.fromEntries(nodes.map(({ outputs, inputs }) => [outputs[0], inputs]))
    expect(reads.projected).toEqual(['attended/first_token', 'out_weights'])
    expect(reads.middle).toEqual(['embedded/first_token', 'attention'])
    expect(reads.down).toEqual(['activated', 'down_weights'])
    expect(reads.token).toEqual(['tokens', 'first'])
    expect(nodes.filter(({ operator }) => operator === 'Gather')).toHaveLength(3)
  })

  it('keeps each node after those whose outputs it reads', () => {
    const { nodes, inputs, initializers } = graphOf(lighter(imageTower()))

    const known = new Set([...inputs, ...initializers.keys()])
    for (const { inputs: needed, outputs } of nodes) {
      expect(needed.filter((name) => !known.has(name))).toEqual([])
      for (const output of outputs) known.add(output)
    }
  })

  it.each<[string, TestModel]>([
    ['a tower', imageTower()],
    ['a tower of an older exporter', olderImageTower()],
    [
      'a tower that normalises all tokens and then reads one',
      imageTower([
        node('LayerNormalization', ['tokens', 'gain', 'shift'], 'all'),
        node('Gather', ['all', 'first'], 'token', { axis: 1 }),
        node('MatMul', ['token', 'head_weights'], 'embedding'),
      ]),
    ],
    [
      'a tower that notes shapes of tensors',
      { ...imageTower(), noted: { up: ['batch', 4, 16], token: ['batch', FEATURES] } },
    ],
  ])('gives bit for bit what %s gives', async (_name, model) => {
    const whole = await writeModel('whole.onnx', encodeOnnx(model).bytes)
    const cut = await writeModel('cut.onnx', lighter(model)!)

    const expected = await runTower(whole, 'plain')

    expect(expected.rows).toHaveLength(3)
    expect(new Set(expected.rows).size).toBe(3)
    expect(await runTower(cut, 'plain')).toEqual(expected)
    expect(await runTower(whole, 'checked')).toEqual(expected)
  })

  it('finds weights that lie beside the file', async () => {
    const model = { ...imageTower(), weightsFile: 'tower.onnx_data' }
    const { bytes, weights } = encodeOnnx(model)
    await writeModel('tower.onnx_data', weights)
    const file = await writeModel('tower.onnx', bytes)

    const expected = await runTower(
      await writeModel('one.onnx', encodeOnnx(imageTower()).bytes),
      'plain',
    )

    expect(leaveOutUnreadTokens(bytes)).toBeDefined()
    expect(await runTower(file, 'checked')).toEqual(expected)
  })

  const readMean = [
    node('ReduceMean', ['tokens'], 'token', { axes: [1], keepdims: 0 }),
    node('MatMul', ['token', 'head_weights'], 'embedding'),
  ]
  const [gather, head] = readFirstToken() as [TestNode, TestNode]
  it.each<[string, TestNode[], string[]?]>([
    ['the mean of the tokens is read', readMean],
    ['two tokens are read', [node('Gather', ['tokens', 'both'], 'token', { axis: 1 }), head]],
    ['another token is read', [node('Gather', ['tokens', 'second'], 'token', { axis: 1 }), head]],
    ['another axis is read', [node('Gather', ['tokens', 'first'], 'token', { axis: 2 }), head]],
    ['the tokens are an output too', [gather, head], ['embedding', 'tokens']],
    [
      'something else reads the tokens',
      [gather, node('MatMul', ['tokens', 'up_weights'], 'more'), head],
      ['embedding', 'more'],
    ],
    [
      'tokens were mixed and then changed without weights',
      [
        node('Softmax', ['tokens'], 'mixed', { axis: 1 }),
        node('Mul', ['mixed', 'gain'], 'scaled'),
        node('Gather', ['scaled', 'first'], 'token', { axis: 1 }),
        head,
      ],
    ],
    [
      'each token is changed in its own way',
      [
        node('Add', ['tokens', 'places'], 'placed'),
        node('Gather', ['placed', 'first'], 'token', { axis: 1 }),
        head,
      ],
    ],
  ])('leaves a model as it is where %s', (_case, readout, outputs = ['embedding']) => {
    expect(lighter({ ...imageTower(readout), outputs })).toBeUndefined()
  })

  it('leaves a model as it is where an inner graph may read any tensor', () => {
    const branch = node('If', ['first'], 'branch', { then_branch: new Uint8Array() })

    expect(lighter(imageTower([...readFirstToken(), branch]))).toBeUndefined()
  })

  it('leaves a model as it is where weights can be replaced by an input', () => {
    expect(
      lighter({ ...imageTower(), inputs: ['out_weights', 'up_weights', 'down_weights'] }),
    ).toBeUndefined()
  })

  it('drops the noted shapes that no longer hold', () => {
    const noted = { embedded: ['batch', 4, FEATURES], up: ['batch', 4, 16] }

    const notes = valuesOf(graphOf(lighter({ ...imageTower(), noted })).fields, 13)

    expect(notes.map((value) => textOf(readFields(value), 1))).toEqual(['embedded'])
  })

  it('keeps fields that it does not know', () => {
    const bytes = lighter({ ...imageTower(), unknown: 'of a later version' })!

    const kept = Buffer.from(bytes).toString('latin1').split('of a later version').length - 1
    expect(kept).toBe(imageTower().nodes.length + 2)
  })

  it('tells bytes that are no model', () => {
    const { bytes } = encodeOnnx(imageTower())

    expect(() => leaveOutUnreadTokens(bytes.subarray(0, bytes.length / 2))).toThrow(RangeError)
    expect(leaveOutUnreadTokens(new Uint8Array())).toBeUndefined()
  })

  it.each(['plain', 'checked'] as const)(
    'refuses a damaged file that is opened %s with the same words',
    async (mode) => {
      const { bytes } = encodeOnnx(imageTower())
      const file = await writeModel('damaged.onnx', bytes.subarray(0, bytes.length / 2))

      const { error } = await runTower(file, mode)

      expect(error).toMatchObject({
        name: 'PackMismatchError',
        message: expect.stringContaining(`${file} could not be opened: `),
      })
    },
  )
})
