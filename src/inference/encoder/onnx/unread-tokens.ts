import { findConstants, type Constant } from './constants.js'
import { encodeModel, gatherNode, integerTensor, type NodeToWrite } from './encode-graph.js'
import { FIELD, integerAttribute, readGraph, type OnnxGraph, type OnnxNode } from './onnx-graph.js'
import { isTokenWise } from './token-wise.js'
import { readFields, textOf, type WireField } from './wire-fields.js'

/** Of [batch, tokens, features]. */
const TOKEN_AXIS = 1
/** Name of a constant: the places on that axis that are read. */
const PLACES = 'first_token/places'

const firstTokenOf = (tensor: string) => `${tensor}/first_token`

/**
 * A model that computes only the first token from the last attention on, where nothing reads the others. An image tower
 * of CLIP embeds a photo as its class token, but exports compute the output projection and the MLP of the last layer for all
 * tokens: of ViT-B/32's 50 they take a sixteenth of the work. The token is taken before them in place of after them, and each
 * value that is still computed is computed of the same values as before.
 * @param model - an ONNX file
 * @returns another ONNX file, whose external weights are found from the same folder; undefined when there is nothing to leave out
 * @throws Error when the bytes are no protobuf message
 */
export function leaveOutUnreadTokens(model: Uint8Array): Uint8Array | undefined {
  const fields = readFields(model)
  const graph = readGraph(fields)
  if (!graph) return undefined
  const constants = findConstants(graph)
  for (const node of graph.nodes) {
    if (!takesFirstToken(node, constants)) continue
    const region = findTokenWiseRegion(graph, constants, node)
    const isWorthwhile = [...region].some(({ operator }) => operator === 'MatMul')
    if (isWorthwhile) return cutDown(fields, graph, region, constants)
  }
  return undefined
}

function takesFirstToken(node: OnnxNode, constants: ReadonlyMap<string, Constant>): boolean {
  const { operator, inputs } = node
  if (operator !== 'Gather' || integerAttribute(node, 'axis', 0) !== TOKEN_AXIS) return false
  const places = constants.get(inputs[1] ?? '')?.integers
  return places?.length === 1 && places[0] === 0
}

/** The nodes that treat tokens one by one and whose outputs reach nothing but the first input of `reader`. */
function findTokenWiseRegion(
  { nodes, outputs }: OnnxGraph,
  constants: ReadonlyMap<string, Constant>,
  reader: OnnxNode,
): Set<OnnxNode> {
  const region = new Set<OnnxNode>()
  const inside = new Set(reader.inputs.slice(0, 1))
  const outside = new Set(outputs)
  // Whatever reads a tensor comes after the node that gives it.
  for (const node of nodes.toReversed()) {
    const [output = ''] = node.outputs
    const belongs =
      inside.has(output) &&
      !outside.has(output) &&
      !constants.has(output) &&
      isTokenWise(node, constants)
    if (belongs) region.add(node)
    const readers = belongs || node === reader ? inside : outside
    for (const name of node.inputs) readers.add(name)
  }
  return region
}

/** The model with `region` computed for the first token alone. */
function cutDown(
  model: readonly WireField[],
  { nodes, fields }: OnnxGraph,
  region: ReadonlySet<OnnxNode>,
  constants: ReadonlyMap<string, Constant>,
): Uint8Array {
  const within = new Set([...region].flatMap(({ outputs }) => outputs))
  const isCut = (name: string) => name !== '' && !constants.has(name) && !within.has(name)
  const cut = new Set<string>()
  const takeFirstToken = (name: string): NodeToWrite[] => {
    if (!isCut(name) || cut.has(name)) return []
    cut.add(name)
    return [gatherNode([name, PLACES], { output: firstTokenOf(name), axis: TOKEN_AXIS })]
  }
  const written = nodes.flatMap((node) => {
    if (!region.has(node)) return [node]
    const inputs = node.inputs.map((name) => (isCut(name) ? firstTokenOf(name) : name))
    return [...node.inputs.flatMap(takeFirstToken), { ...node, inputs }]
  })
  // Shapes that are noted for what is cut down would be wrong.
  const isStale = ({ number, value }: WireField) =>
    number === FIELD.graph.valueInfo && within.has(textOf(readFields(value), FIELD.valueInfo.name))
  return encodeModel(model, {
    nodes: written,
    initializers: [integerTensor(PLACES, [0])],
    fields: fields.filter((field) => !isStale(field)),
  })
}
