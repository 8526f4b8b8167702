import type { Constant } from './constants.js'
import { integerAttribute, integersAttribute, type OnnxNode } from './onnx-graph.js'

/** Operators that combine the elements of their inputs at each place, or change each by itself. */
const ELEMENTWISE = new Set([
  'Add',
  'Cast',
  'Div',
  'Erf',
  'Gelu',
  'Identity',
  'Mul',
  'Pow',
  'Relu',
  'Sigmoid',
  'Sqrt',
  'Sub',
  'Tanh',
])

/**
 * Whether a node computes for each token what it would compute for it alone. Tensors that are no constants are taken to be
 * [batch, tokens, features].
 */
export function isTokenWise(node: OnnxNode, constants: ReadonlyMap<string, Constant>): boolean {
  const { operator, inputs, outputs } = node
  if (outputs.length !== 1) return false
  const [first, ...others] = inputs.map((name) => constants.get(name))
  const onLastAxis = () => first === undefined && others.every((other) => other !== undefined)
  switch (operator) {
    case 'MatMul':
      return onLastAxis() && others[0]?.dims?.length === 2
    case 'LayerNormalization':
      return onLastAxis() && integerAttribute(node, 'axis', -1) === -1
    case 'ReduceMean':
      return onLastAxis() && isMeanOfFeatures(node, others[0])
    default:
      return ELEMENTWISE.has(operator) && [first, ...others].every(isSameForTokens)
  }
}

/** Half of a layer norm as older exports write it. The axes are an attribute, or since operator set 18 an input. */
function isMeanOfFeatures(node: OnnxNode, input: Constant | undefined): boolean {
  const axes = input ? input.integers : integersAttribute(node, 'axes')
  return axes?.length === 1 && axes[0] === -1 && integerAttribute(node, 'keepdims', 1) === 1
}

/** Whether an operand, if it is a constant, has one value or row for all tokens. */
function isSameForTokens(constant: Constant | undefined): boolean {
  if (constant === undefined) return true
  const { dims } = constant
  return dims !== undefined && dims.length <= 3 && (dims.at(-2) ?? 1) === 1
}
