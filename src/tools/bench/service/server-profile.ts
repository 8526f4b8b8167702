import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { roundTo } from '../../../text/round-to.js'
import { PROJECT_FOLDER } from '../../project-folder.js'
import { formatTable, type Print } from '../report/publish.js'

/** Output of `node --cpu-prof`. Source: https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile */
export interface CpuProfile {
  /** The first is the root. */
  nodes: ProfileNode[]
  /** Ids of the nodes that were running. */
  samples: number[]
  /** Microseconds between a sample and the previous one; for the first, since the start. */
  timeDeltas: number[]
}

interface ProfileNode {
  id: number
  callFrame: { functionName: string; url: string }
  children?: number[]
}

/** A function of this project or a whole package: calls within one package are one frame. */
export interface Frame {
  name: string
  /** Folder of this project, package, or module of Node. */
  part: string
  selfMs: number
  /** Includes the children. */
  totalMs: number
  /** Longest first. */
  children: Frame[]
}

const OWN_CODE = pathToFileURL(path.join(PROJECT_FOLDER, 'dist') + path.sep).href
const ENGINE_FUNCTIONS = new Map([
  ['(garbage collector)', 'garbage collection'],
  ['(program)', 'native code'],
])
/** Frames below this fraction of the total are dropped: there are thousands, too narrow to see. */
const MIN_FRACTION = 0.004
const MAX_PARTS = 14
/** V8 samples every millisecond. A much later next sample means that others had the core or the machine was suspended. */
const MAX_SAMPLE_MS = 10

/**
 * Builds the call tree of a process's busy time.
 * @param options.fromMs - skips samples before this time
 */
export function buildCallTree(
  { nodes, samples, timeDeltas }: CpuProfile,
  { fromMs = 0 }: { fromMs?: number } = {},
): Frame {
  const nodeById = new Map(nodes.map((node) => [node.id, node]))
  const root = createFrame({ name: 'all', part: '' })
  const frameById = new Map<number, Frame>()
  const assignFrames = (node: ProfileNode, parent: Frame): void => {
    const frame = frameOf(node, parent)
    frameById.set(node.id, frame)
    for (const id of node.children ?? []) assignFrames(nodeById.get(id)!, frame)
  }
  assignFrames(nodes[0]!, root)
  let elapsedMs = 0
  for (const [index, id] of samples.entries()) {
    elapsedMs += timeDeltas[index]! / 1_000
    const isIdle = nodeById.get(id)?.callFrame.functionName === '(idle)'
    const frame = frameById.get(id)
    if (!frame || isIdle || elapsedMs < fromMs) continue
    // A sample lasts until the next one.
    frame.selfMs += Math.min((timeDeltas[index + 1] ?? 0) / 1_000, MAX_SAMPLE_MS)
  }
  return addUp(root)
}

/** The child frame that a node belongs to, created if needed; the parent itself for a node of the same part. */
function frameOf({ callFrame: { functionName, url } }: ProfileNode, parent: Frame): Frame {
  const origin = describeOrigin(functionName, url)
  if (!origin || origin.name === parent.name) return parent
  const known = parent.children.find(({ name }) => name === origin.name)
  if (known) return known
  const frame = createFrame(origin)
  parent.children.push(frame)
  return frame
}

type Origin = Pick<Frame, 'name' | 'part'>

/** Undefined for built-in functions, which count as part of their caller. */
function describeOrigin(functionName: string, url: string): Origin | undefined {
  const engine = ENGINE_FUNCTIONS.get(functionName)
  if (engine !== undefined) return { name: engine, part: engine }
  if (url.startsWith(OWN_CODE)) {
    const file = url.slice(OWN_CODE.length).replace(/\.js$/, '')
    const folder = file.includes('/') ? `${file.split('/')[0]}/` : ''
    return { name: `${functionName || '(anonymous)'} ${file}`, part: `src/${folder}` }
  }
  const name =
    /\/node_modules\/(?!.*\/node_modules\/)((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? nodeModule(url)
  return name === undefined ? undefined : { name, part: name }
}

/** `node:internal/streams/readable` belongs to `node:streams`. */
function nodeModule(url: string): string | undefined {
  const name = /^node:(?:internal\/)?([^/]+)/.exec(url)?.[1]
  return name && `node:${name}`
}

function createFrame(origin: Origin): Frame {
  return { ...origin, selfMs: 0, totalMs: 0, children: [] }
}

function addUp(frame: Frame): Frame {
  frame.totalMs = frame.selfMs
  for (const child of frame.children) frame.totalMs += addUp(child).totalMs
  frame.children.sort((left, right) => right.totalMs - left.totalMs)
  return frame
}

/** Milliseconds spent in each part itself, without its callees; longest first. */
export function sumSelfTimes(tree: Frame): [part: string, milliseconds: number][] {
  const times = new Map<string, number>()
  const visit = ({ part, selfMs, children }: Frame): void => {
    times.set(part, (times.get(part) ?? 0) + selfMs)
    children.forEach(visit)
  }
  tree.children.forEach(visit)
  return [...times].sort(([, left], [, right]) => right - left)
}

/** Copies the tree without frames that are too short to see in a plot. */
export function pruneTree(tree: Frame, minMs = MIN_FRACTION * tree.totalMs): Frame {
  const children = tree.children.filter(({ totalMs }) => totalMs >= minMs)
  return {
    ...tree,
    selfMs: roundTo(tree.selfMs, 1),
    totalMs: roundTo(tree.totalMs, 1),
    children: children.map((child) => pruneTree(child, minMs)),
  }
}

/** Profile of the server process, as reports contain it. */
export interface ProfileSummary {
  busyMs: number
  /** `share`: fraction of the busy time. */
  parts: { part: string; share: number }[]
  tree: Frame
}

/** @param readyAfterMs - skips the start of the process */
export function summarizeProfile(profile: CpuProfile, readyAfterMs: number): ProfileSummary {
  const tree = buildCallTree(profile, { fromMs: readyAfterMs })
  const parts = sumSelfTimes(tree).slice(0, MAX_PARTS)
  return {
    busyMs: roundTo(tree.totalMs, 0),
    parts: parts.map(([part, ms]) => ({ part, share: roundTo(ms / tree.totalMs, 3) })),
    tree: pruneTree(tree),
  }
}

export function printProfile(profile: ProfileSummary, print: Print): void {
  print(`\nThe server process was busy for ${profile.busyMs} ms, in\n`)
  print(
    formatTable(profile.parts.map(({ part, share }) => ({ part, '%': roundTo(100 * share, 1) }))),
  )
}
