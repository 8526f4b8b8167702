import {
  FIELD,
  tensorAttribute,
  tensorIntegers,
  type OnnxGraph,
  type OnnxNode,
} from './onnx-graph.js'
import { integersOf, type WireField } from './wire-fields.js'

/** A tensor that is the same for every input of the model. */
export interface Constant {
  /** Undefined when they are not known without computing it. */
  dims?: number[]
  /** Its values, where it is written down and holds 64-bit integers. */
  integers?: number[]
}

/** Operators whose output has the dimensions of their first input. */
const KEEP_DIMS = ['Cast', 'DequantizeLinear', 'Identity']

/** The constants of a graph by name: what is written down, and what is computed of nothing else. */
export function findConstants({ initializers, inputs, nodes }: OnnxGraph): Map<string, Constant> {
  const constants = new Map<string, Constant>()
  for (const [name, tensor] of initializers) constants.set(name, describe(tensor))
  // An initializer that is an input too is a default, which a caller may replace.
  for (const name of inputs) constants.delete(name)
  for (const node of nodes) {
    if (node.outputs.length !== 1) continue
    const constant = evaluate(node, constants)
    if (constant) constants.set(node.outputs[0] as string, constant)
  }
  return constants
}

function evaluate(node: OnnxNode, constants: Map<string, Constant>): Constant | undefined {
  const { operator, inputs } = node
  if (operator === 'Constant') {
    const tensor = tensorAttribute(node, 'value')
    return tensor ? describe(tensor) : {}
  }
  if (inputs.length === 0 || !inputs.every((name) => name === '' || constants.has(name))) return
  const first = constants.get(inputs[0] as string)
  if (operator === 'Identity') return first
  return KEEP_DIMS.includes(operator) ? { dims: first?.dims } : {}
}

function describe(tensor: readonly WireField[]): Constant {
  return { dims: integersOf(tensor, FIELD.tensor.dims), integers: tensorIntegers(tensor) }
}
