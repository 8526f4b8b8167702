import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { FIELD, INT64, type OnnxNode } from './onnx-graph.js'
import { encodeField, readFields, type WireField } from './wire-fields.js'

/** `AttributeProto.AttributeType` of a single integer. */
const INTEGER_ATTRIBUTE = 2

/** A node as it is written: with these inputs, and everything else as in its fields. */
export type NodeToWrite = Pick<OnnxNode, 'inputs' | 'fields'>

export interface GraphToWrite {
  /** In place of those among the fields. */
  nodes: readonly NodeToWrite[]
  /** TensorProto messages beside those among the fields. */
  initializers: readonly Uint8Array[]
  fields: readonly WireField[]
}

/** The bytes of a model with another graph. Weights are copied once, from where they were read. */
export function encodeModel(model: readonly WireField[], graph: GraphToWrite): Buffer {
  const parts = encodeField(FIELD.model.graph, [
    ...graph.nodes.flatMap(encodeNode),
    ...graph.initializers.flatMap((tensor) => encodeField(FIELD.graph.initializer, [tensor])),
    ...bytesExcept(graph.fields, FIELD.graph.node),
  ])
  return Buffer.concat([...bytesExcept(model, FIELD.model.graph), ...parts])
}

function encodeNode({ inputs, fields }: NodeToWrite): Uint8Array[] {
  const names = new BinaryWriter()
  for (const name of inputs) names.tag(FIELD.node.input, WireType.LengthDelimited).string(name)
  return encodeField(FIELD.graph.node, [names.finish(), ...bytesExcept(fields, FIELD.node.input)])
}

function bytesExcept(fields: readonly WireField[], number: number): Uint8Array[] {
  return fields.filter((field) => field.number !== number).map(({ bytes }) => bytes)
}

/** A node that takes some places of an axis of its first input, and keeps the axis. */
export function gatherNode(
  inputs: [tensor: string, places: string],
  { output, axis }: { output: string; axis: number },
): NodeToWrite {
  const fields = new BinaryWriter()
    .tag(FIELD.node.output, WireType.LengthDelimited)
    .string(output)
    .tag(FIELD.node.opType, WireType.LengthDelimited)
    .string('Gather')
    .tag(FIELD.node.attribute, WireType.LengthDelimited)
    .fork()
    .tag(FIELD.attribute.name, WireType.LengthDelimited)
    .string('axis')
    .tag(FIELD.attribute.integer, WireType.Varint)
    .int64(axis)
    .tag(FIELD.attribute.type, WireType.Varint)
    .int32(INTEGER_ATTRIBUTE)
    .join()
  return { inputs, fields: readFields(fields.finish()) }
}

/** A TensorProto of one axis and 64-bit integers. */
export function integerTensor(name: string, values: readonly number[]): Uint8Array {
  const tensor = new BinaryWriter()
    .tag(FIELD.tensor.dims, WireType.Varint)
    .int64(values.length)
    .tag(FIELD.tensor.type, WireType.Varint)
    .int32(INT64)
    .tag(FIELD.tensor.int64s, WireType.LengthDelimited)
    .fork()
  for (const value of values) tensor.int64(value)
  return tensor.join().tag(FIELD.tensor.name, WireType.LengthDelimited).string(name).finish()
}
