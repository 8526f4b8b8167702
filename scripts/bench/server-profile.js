import { pathToFileURL } from 'node:url'
import path from 'node:path'
import { projectDir } from '../prepare.js'
import { table } from './publish.js'
import { roundTo } from './statistics.js'

/**
 * What `node --cpu-prof` writes. Source: https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile
 * @typedef {object} CpuProfile
 * @property {ProfileNode[]} nodes the first is the root
 * @property {number[]} samples ids of the nodes that were running
 * @property {number[]} timeDeltas microseconds from the sample before, of the first from the start
 */
/** @typedef {{ id: number, callFrame: { functionName: string, url: string }, children?: number[] }} ProfileNode */

/**
 * A function of ours, or a whole package: what runs inside one without leaving it is one frame.
 * @typedef {object} Frame
 * @property {string} name
 * @property {string} part folder of ours, package, or module of Node
 * @property {number} selfMs
 * @property {number} totalMs with its children
 * @property {Frame[]} children those that took longest first
 */

const OWN_CODE = pathToFileURL(path.join(projectDir, 'dist') + path.sep).href
const BY_PURPOSE = { '(garbage collector)': 'garbage collection', '(program)': 'native code' }
/** Below this share of the whole a frame says nothing, and thousands of them fill a plot. */
const SMALLEST_SHARE = 0.004
const PARTS = 14
/** V8 takes a sample a millisecond. Where the next is much later others had the core, or the machine stood still. */
const LONGEST_SAMPLE_MS = 10

/**
 * Where a process spent its busy time.
 * @param {CpuProfile} profile
 * @param {{ fromMs?: number }} [options] - how much of the beginning is left out
 * @returns {Frame}
 */
export function callTree({ nodes, samples, timeDeltas }, { fromMs = 0 } = {}) {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const root = createFrame({ name: 'all', part: '' })
  /** @type {Map<number, Frame>} */
  const frames = new Map()
  const place = (/** @type {ProfileNode} */ node, /** @type {Frame} */ parent) => {
    const frame = frameOf(node, parent)
    frames.set(node.id, frame)
    for (const id of node.children ?? []) place(/** @type {ProfileNode} */ (byId.get(id)), frame)
  }
  place(nodes[0], root)
  let elapsedMs = 0
  for (const [index, id] of samples.entries()) {
    elapsedMs += timeDeltas[index] / 1_000
    const isIdle = byId.get(id)?.callFrame.functionName === '(idle)'
    const frame = frames.get(id)
    if (!frame || isIdle || elapsedMs < fromMs) continue
    // A sample lasts until the next one.
    frame.selfMs += Math.min((timeDeltas[index + 1] ?? 0) / 1_000, LONGEST_SAMPLE_MS)
  }
  return addUp(root)
}

/**
 * The frame among the children of another that a node belongs to, or that one itself where the node is a part of it.
 * @param {ProfileNode} node
 * @param {Frame} parent
 */
function frameOf({ callFrame: { functionName, url } }, parent) {
  const place = describePlace(functionName, url)
  if (!place || place.name === parent.name) return parent
  let frame = parent.children.find(({ name }) => name === place.name)
  if (!frame) {
    frame = createFrame(place)
    parent.children.push(frame)
  }
  return frame
}

/**
 * Undefined of what belongs to its caller, as built-in functions do.
 * @param {string} functionName
 * @param {string} url
 */
function describePlace(functionName, url) {
  const purpose = /** @type {Record<string, string>} */ (BY_PURPOSE)[functionName]
  if (purpose) return { name: purpose, part: purpose }
  if (url.startsWith(OWN_CODE)) {
    const file = url.slice(OWN_CODE.length).replace(/\.js$/, '')
    const folder = file.includes('/') ? `${file.split('/')[0]}/` : ''
    return { name: `${functionName || '(anonymous)'} ${file}`, part: `src/${folder}` }
  }
  const name =
    /\/node_modules\/(?!.*\/node_modules\/)((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? nodeModule(url)
  return name === undefined ? undefined : { name, part: name }
}

/** `node:internal/streams/readable` is a part of `node:streams`. */
function nodeModule(/** @type {string} */ url) {
  const name = /^node:(?:internal\/)?([^/]+)/.exec(url)?.[1]
  return name && `node:${name}`
}

/**
 * @param {{ name: string, part: string }} place
 * @returns {Frame}
 */
function createFrame(place) {
  return { ...place, selfMs: 0, totalMs: 0, children: [] }
}

function addUp(/** @type {Frame} */ frame) {
  frame.totalMs = frame.selfMs
  for (const child of frame.children) frame.totalMs += addUp(child).totalMs
  frame.children.sort((left, right) => right.totalMs - left.totalMs)
  return frame
}

/**
 * Milliseconds in each part itself, without what it called.
 * @param {Frame} tree
 * @returns {[part: string, milliseconds: number][]} the longest first
 */
export function selfTimes(tree) {
  /** @type {Map<string, number>} */
  const times = new Map()
  const visit = (/** @type {Frame} */ { part, selfMs, children }) => {
    times.set(part, (times.get(part) ?? 0) + selfMs)
    children.forEach(visit)
  }
  tree.children.forEach(visit)
  return [...times].sort(([, left], [, right]) => right - left)
}

/**
 * The tree without what is too short to be seen.
 * @param {Frame} tree
 * @returns {Frame}
 */
export function prune(tree, leastMs = SMALLEST_SHARE * tree.totalMs) {
  const children = tree.children.filter(({ totalMs }) => totalMs >= leastMs)
  return {
    ...tree,
    selfMs: roundTo(tree.selfMs, 1),
    totalMs: roundTo(tree.totalMs, 1),
    children: children.map((child) => prune(child, leastMs)),
  }
}

/**
 * What a report holds of a profile of the server process.
 * @param {CpuProfile} profile
 * @param {number} readyAfterMs - what it did until then is left out
 */
export function summarizeProfile(profile, readyAfterMs) {
  const tree = callTree(profile, { fromMs: readyAfterMs })
  const parts = selfTimes(tree).slice(0, PARTS)
  return {
    busyMs: roundTo(tree.totalMs, 0),
    parts: parts.map(([part, ms]) => ({ part, share: roundTo(ms / tree.totalMs, 3) })),
    tree: prune(tree),
  }
}

/** @typedef {ReturnType<typeof summarizeProfile>} ProfileSummary */

/**
 * @param {ProfileSummary} profile
 * @param {import('./publish.js').Say} say
 */
export function printProfile(profile, say) {
  say(`\nThe server process was busy for ${profile.busyMs} ms, in\n`)
  say(table(profile.parts.map(({ part, share }) => ({ part, '%': roundTo(100 * share, 1) }))))
}
