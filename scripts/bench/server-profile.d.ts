export interface Frame {
  name: string
  part: string
  selfMs: number
  totalMs: number
  children: Frame[]
}
export interface CpuProfile {
  nodes: {
    id: number
    callFrame: { functionName: string; url: string }
    children?: number[]
  }[]
  samples: number[]
  timeDeltas: number[]
}
export function callTree(profile: CpuProfile, options?: { fromMs?: number }): Frame
export function selfTimes(tree: Frame): [part: string, milliseconds: number][]
export function prune(tree: Frame, leastMs?: number): Frame
