import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'

/** Small ONNX models. Numbers of fields are those of onnx.proto3. */
export interface TestNode {
  operator: string
  inputs: string[]
  output: string
  /** An integer, integers, or the bytes of a graph. */
  attributes: Record<string, number | number[] | Uint8Array>
}

export interface TestModel {
  nodes: TestNode[]
  weights: Record<string, Weight>
  /** Beside the pixels: weights that a caller may replace. */
  inputs?: string[]
  outputs: string[]
  /** Names of tensors whose shape is noted in the model. */
  noted?: Record<string, (number | string)[]>
  /** File that the float32 weights lie in, one after the other. Unset: in the model. */
  weightsFile?: string
  /** A field that no version of ONNX has, in the model, its graph and each node. */
  unknown?: string
  operatorSet?: number
}

export interface Weight {
  dims: number[]
  values: Float32Array | bigint[]
}

const UNKNOWN_FIELD = 900
export const FEATURES = 8
export const EDGE = 8

export function node(
  operator: string,
  inputs: string[],
  output: string,
  attributes: TestNode['attributes'] = {},
): TestNode {
  return { operator, inputs, output, attributes }
}

/** Values without a pattern that a mistake could hide in. */
export function weight(...dims: number[]): Weight {
  const length = dims.reduce((product, dim) => product * dim, 1)
  const values = Float32Array.from({ length }, (_, index) => Math.sin(index * 12.9898 + length))
  return { dims, values }
}

export function integers(dims: number[], ...values: number[]): Weight {
  return { dims, values: values.map(BigInt) }
}

/**
 * An image tower as CLIP's: pixels [batch, 3, 8, 8], four tokens of eight features, one layer, the first token's embedding.
 * @param readout - the nodes from `tokens` [batch, 4, 8] to `embedding`
 */
export function imageTower(readout: TestNode[] = readFirstToken()): TestModel {
  const nodes = [
    node('Conv', ['pixels', 'patches'], 'map', { strides: [4, 4] }),
    node('Reshape', ['map', 'flat'], 'columns'),
    node('Transpose', ['columns'], 'embedded', { perm: [0, 2, 1] }),
    node('LayerNormalization', ['embedded', 'gain', 'shift'], 'normed', { axis: -1 }),
    node('MatMul', ['normed', 'query_weights'], 'query'),
    node('MatMul', ['normed', 'key_weights'], 'key'),
    node('MatMul', ['normed', 'value_weights'], 'value'),
    node('Transpose', ['key'], 'key_columns', { perm: [0, 2, 1] }),
    node('MatMul', ['query', 'key_columns'], 'scores'),
    node('Softmax', ['scores'], 'shares', { axis: -1 }),
    node('MatMul', ['shares', 'value'], 'attended'),
    node('MatMul', ['attended', 'out_weights'], 'projected'),
    node('Identity', ['shift'], 'shared_bias'),
    node('Add', ['shared_bias', 'projected'], 'attention'),
    node('Add', ['embedded', 'attention'], 'middle'),
    node('LayerNormalization', ['middle', 'gain', 'shift'], 'normed_middle', { axis: -1 }),
    node('MatMul', ['normed_middle', 'up_weights'], 'up'),
    node('Sigmoid', ['up'], 'gate'),
    node('Mul', ['up', 'gate'], 'activated'),
    node('MatMul', ['activated', 'down_weights'], 'down'),
    node('Add', ['middle', 'down'], 'tokens'),
    ...readout,
  ]
  return { nodes, weights: towerWeights(), outputs: ['embedding'] }
}

export function readFirstToken(): TestNode[] {
  return [
    node('Gather', ['tokens', 'first'], 'token', { axis: 1 }),
    node('MatMul', ['token', 'head_weights'], 'embedding'),
  ]
}

/** The same tower as older exporters write it, with the parts of a layer norm as nodes. */
export function olderImageTower(): TestModel {
  const tower = imageTower()
  const nodes = tower.nodes.flatMap((whole) => {
    if (whole.operator !== 'LayerNormalization') return [whole]
    const { inputs, output } = whole
    const [x = '', gain = '', shift = ''] = inputs
    const part = (name: string) => `${output}_${name}`
    return [
      node('ReduceMean', [x], part('mean'), { axes: [-1] }),
      node('Sub', [x, part('mean')], part('centred')),
      node('Pow', [part('centred'), 'two'], part('squares')),
      node('ReduceMean', [part('squares')], part('variance'), { axes: [-1] }),
      node('Add', [part('variance'), 'tiny'], part('positive')),
      node('Sqrt', [part('positive')], part('deviation')),
      node('Div', [part('centred'), part('deviation')], part('unit')),
      node('Mul', [part('unit'), gain], part('scaled')),
      node('Add', [part('scaled'), shift], output),
    ]
  })
  const scalar = (value: number): Weight => ({ dims: [], values: Float32Array.of(value) })
  const weights = { ...tower.weights, two: scalar(2), tiny: scalar(1e-5) }
  return { ...tower, nodes, weights, operatorSet: 14 }
}

function towerWeights(): Record<string, Weight> {
  const square = () => weight(FEATURES, FEATURES)
  return {
    patches: weight(FEATURES, 3, 4, 4),
    flat: integers([3], 0, FEATURES, 4),
    first: integers([], 0),
    second: integers([], 1),
    both: integers([2], 0, 1),
    gain: weight(FEATURES),
    shift: weight(FEATURES),
    places: weight(4, FEATURES),
    query_weights: square(),
    key_weights: square(),
    value_weights: square(),
    out_weights: square(),
    up_weights: weight(FEATURES, 16),
    down_weights: weight(16, FEATURES),
    head_weights: weight(FEATURES, 6),
  }
}

/** @returns the file, and the weights that belong beside it */
export function encodeOnnx(model: TestModel): { bytes: Uint8Array; weights: Uint8Array } {
  const { nodes, weights, inputs = [], outputs, noted = {}, operatorSet = 17 } = model
  const unknown = (writer: BinaryWriter) =>
    model.unknown === undefined ? writer : text(writer, UNKNOWN_FIELD, model.unknown)
  const outside: Uint8Array[] = []
  const graph = new BinaryWriter()
  for (const each of nodes) message(graph, 1, unknown(encodeNode(each)))
  text(graph, 2, 'test')
  for (const [name, tensor] of Object.entries(weights)) {
    message(graph, 5, encodeWeight(name, tensor, model.weightsFile, outside))
  }
  message(graph, 11, encodeValue('pixels', ['batch', 3, EDGE, EDGE]))
  for (const name of inputs) message(graph, 11, encodeValue(name))
  for (const name of outputs) message(graph, 12, encodeValue(name))
  for (const [name, dims] of Object.entries(noted)) message(graph, 13, encodeValue(name, dims))
  const file = new BinaryWriter().tag(1, WireType.Varint).int64(8)
  message(file, 7, unknown(graph))
  message(file, 8, text(new BinaryWriter(), 1, '').tag(2, WireType.Varint).int64(operatorSet))
  return { bytes: unknown(file).finish(), weights: Buffer.concat(outside) }
}

function encodeNode({ operator, inputs, output, attributes }: TestNode): BinaryWriter {
  const writer = new BinaryWriter()
  for (const input of inputs) text(writer, 1, input)
  text(writer, 2, output)
  text(writer, 4, operator)
  for (const [name, value] of Object.entries(attributes)) {
    message(writer, 5, encodeAttribute(name, value))
  }
  return writer
}

function encodeAttribute(name: string, value: number | number[] | Uint8Array): BinaryWriter {
  const writer = text(new BinaryWriter(), 1, name)
  const type = (code: number) => writer.tag(20, WireType.Varint).int32(code)
  if (typeof value === 'number') return type(2).tag(3, WireType.Varint).int64(value)
  if (value instanceof Uint8Array) return type(5).tag(6, WireType.LengthDelimited).bytes(value)
  for (const each of value) writer.tag(8, WireType.Varint).int64(each)
  return type(7)
}

function encodeWeight(
  name: string,
  { dims, values }: Weight,
  file: string | undefined,
  outside: Uint8Array[],
): BinaryWriter {
  const tensor = new BinaryWriter()
  for (const dim of dims) tensor.tag(1, WireType.Varint).int64(dim)
  tensor.tag(2, WireType.Varint).int32(values instanceof Float32Array ? 1 : 7)
  text(tensor, 8, name)
  const array = values instanceof Float32Array ? values : BigInt64Array.from(values)
  const bytes = new Uint8Array(array.buffer)
  if (!(values instanceof Float32Array) || file === undefined) {
    return tensor.tag(9, WireType.LengthDelimited).bytes(bytes)
  }
  const offset = outside.reduce((sum, part) => sum + part.byteLength, 0)
  outside.push(bytes)
  const place = { location: file, offset: `${offset}`, length: `${bytes.byteLength}` }
  for (const [key, value] of Object.entries(place)) {
    message(tensor, 13, text(text(new BinaryWriter(), 1, key), 2, value))
  }
  return tensor.tag(14, WireType.Varint).int32(1)
}

function encodeValue(name: string, dims?: (number | string)[]): BinaryWriter {
  const type = new BinaryWriter().tag(1, WireType.Varint).int32(1)
  if (dims) {
    const shape = new BinaryWriter()
    for (const dim of dims) {
      const writer = new BinaryWriter()
      if (typeof dim === 'number') writer.tag(1, WireType.Varint).int64(dim)
      else text(writer, 2, dim)
      message(shape, 1, writer)
    }
    message(type, 2, shape)
  }
  return message(text(new BinaryWriter(), 1, name), 2, message(new BinaryWriter(), 1, type))
}

function text(writer: BinaryWriter, field: number, value: string): BinaryWriter {
  return writer.tag(field, WireType.LengthDelimited).string(value)
}

function message(writer: BinaryWriter, field: number, content: BinaryWriter): BinaryWriter {
  return writer.tag(field, WireType.LengthDelimited).bytes(content.finish())
}
