import {
  decodeText,
  integersOf,
  readFields,
  textOf,
  valuesOf,
  type WireField,
} from './wire-fields.js'

/**
 * Numbers of the fields that are read or written.
 * Source: onnx.proto3, https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3
 */
export const FIELD = {
  model: { graph: 7 },
  graph: { node: 1, initializer: 5, input: 11, output: 12, valueInfo: 13 },
  node: { input: 1, output: 2, opType: 4, attribute: 5, domain: 7 },
  attribute: { name: 1, integer: 3, tensor: 5, graph: 6, integers: 8, graphs: 11, type: 20 },
  tensor: { dims: 1, type: 2, int64s: 7, name: 8, raw: 9 },
  valueInfo: { name: 1 },
} as const

/** `TensorProto.DataType` of 64-bit integers. */
export const INT64 = 7

export interface OnnxNode {
  /** With the domain before it where that is not ONNX's own: `Add`, `com.microsoft.Gelu`. */
  operator: string
  /** Names; '' stands for an optional input that is left out. */
  inputs: string[]
  outputs: string[]
  attributes: Map<string, WireField[]>
  fields: WireField[]
}

export interface OnnxGraph {
  fields: WireField[]
  /** Each after the nodes whose outputs it reads. */
  nodes: OnnxNode[]
  inputs: string[]
  outputs: string[]
  /** By name; their values stay in the bytes of the model. */
  initializers: Map<string, WireField[]>
}

/**
 * The graph of an ONNX model, or undefined when the model has not exactly one, or one with graphs inside (`If`,
 * `Loop`), which may read any tensor of the outer one.
 * @throws Error when the bytes are no protobuf message
 */
export function readGraph(model: readonly WireField[]): OnnxGraph | undefined {
  const [graph, ...others] = valuesOf(model, FIELD.model.graph)
  if (!graph || others.length > 0) return undefined
  const fields = readFields(graph)
  const nodes = valuesOf(fields, FIELD.graph.node).map(readNode)
  if (nodes.some(hasInnerGraph)) return undefined
  const nameOf = (value: Uint8Array) => textOf(readFields(value), FIELD.valueInfo.name)
  const initializers = valuesOf(fields, FIELD.graph.initializer).map(readFields)
  return {
    fields,
    nodes,
    inputs: valuesOf(fields, FIELD.graph.input).map(nameOf),
    outputs: valuesOf(fields, FIELD.graph.output).map(nameOf),
    initializers: new Map(
      initializers.map((tensor) => [textOf(tensor, FIELD.tensor.name), tensor]),
    ),
  }
}

function readNode(value: Uint8Array): OnnxNode {
  const fields = readFields(value)
  const domain = textOf(fields, FIELD.node.domain)
  const operator = textOf(fields, FIELD.node.opType)
  const attributes = valuesOf(fields, FIELD.node.attribute).map(readFields)
  return {
    operator: domain === '' || domain === 'ai.onnx' ? operator : `${domain}.${operator}`,
    inputs: valuesOf(fields, FIELD.node.input).map(decodeText),
    outputs: valuesOf(fields, FIELD.node.output).map(decodeText),
    attributes: new Map(
      attributes.map((attribute) => [textOf(attribute, FIELD.attribute.name), attribute]),
    ),
    fields,
  }
}

function hasInnerGraph({ attributes }: OnnxNode): boolean {
  const { graph, graphs } = FIELD.attribute
  return [...attributes.values()].flat().some(({ number }) => number === graph || number === graphs)
}

/** The integer of an attribute, or the default of the operator. */
export function integerAttribute(node: OnnxNode, name: string, byDefault: number): number {
  return integersOf(node.attributes.get(name) ?? [], FIELD.attribute.integer).at(-1) ?? byDefault
}

/** The integers of an attribute. */
export function integersAttribute(node: OnnxNode, name: string): number[] {
  return integersOf(node.attributes.get(name) ?? [], FIELD.attribute.integers)
}

/** The tensor of an attribute. */
export function tensorAttribute(node: OnnxNode, name: string): WireField[] | undefined {
  const value = valuesOf(node.attributes.get(name) ?? [], FIELD.attribute.tensor).at(-1)
  return value && readFields(value)
}

/** The integers of an int64 tensor, none when they lie outside the file; undefined when it has another type. */
export function tensorIntegers(tensor: readonly WireField[]): number[] | undefined {
  if (integersOf(tensor, FIELD.tensor.type).at(-1) !== INT64) return undefined
  const raw = valuesOf(tensor, FIELD.tensor.raw).at(-1)
  if (!raw) return integersOf(tensor, FIELD.tensor.int64s)
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength)
  return Array.from({ length: raw.byteLength / 8 }, (_, index) =>
    Number(view.getBigInt64(index * 8, true)),
  )
}
