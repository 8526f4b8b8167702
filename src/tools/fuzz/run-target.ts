import fc from 'fast-check'
import { Finding, saveFinding } from './finding.js'
import type {
  FuzzResources,
  FuzzTarget,
  OpenTarget,
  Outcome,
  RunOptions,
  TargetResult,
} from './fuzz-target.js'

/** More would be the same few again. */
const MAX_FINDINGS = 3
/** Others use the machine too: an input counts as slow only if it is slow every time. */
const ATTEMPTS_WHEN_SLOW = 3

/** Creates a target from the function that opens it. */
export function createTarget<Input>(
  name: string,
  open: (resources: FuzzResources) => Promise<OpenTarget<Input>>,
): FuzzTarget {
  return {
    name,
    run: async (resources, options) => {
      const target = await open(resources)
      try {
        return await runTarget(name, target, options)
      } finally {
        await target.close?.()
      }
    },
  }
}

/** Generates inputs until the time is over; every finding is shrunk, saved, and followed by others. */
async function runTarget<Input>(
  name: string,
  target: OpenTarget<Input>,
  { seconds, seed, path, folder, print }: RunOptions,
): Promise<TargetResult> {
  const result: TargetResult = {
    target: name,
    inputs: 0,
    answered: 0,
    findings: [],
    worstCpuMs: { refused: 0, answered: 0 },
    worstMs: 0,
  }
  let last: { input: Input; judged: Promise<void> } | undefined
  const property = fc.asyncProperty(target.inputs, (input) => {
    last = { input, judged: judge(target, input, result) }
    return last.judged
  })
  const save = (effect: string, input: Input, seed: number, position: string) => {
    const text = target.describe?.(input) ?? JSON.stringify(input)
    const found = { target: name, effect, seed, path: position, input: text }
    const file = saveFinding(folder, result.findings.length + 1, found)
    result.findings.push(file)
    print(`${name}: ${effect}\n  ${file}`)
  }
  const endsAt = performance.now() + seconds * 1_000
  for (let round = seed; performance.now() < endsAt; round++) {
    const run = await fc.check(property, {
      seed: round,
      ...(path === undefined ? {} : { path }),
      numRuns: Number.MAX_SAFE_INTEGER,
      interruptAfterTimeLimit: endsAt - performance.now(),
      markInterruptAsFailure: false,
    })
    if (!run.failed || run.counterexample === null) {
      // The time may have ended while an input waited for an answer that does not come.
      await last?.judged.catch((error: unknown) =>
        save(describeEffect(error), last!.input, run.seed, String(run.numRuns)),
      )
      break
    }
    const [input] = run.counterexample
    save(describeEffect(run.errorInstance), input, run.seed, run.counterexamplePath ?? '')
    if (path !== undefined || result.findings.length === MAX_FINDINGS) break
  }
  return result
}

async function judge<Input>(
  target: OpenTarget<Input>,
  input: Input,
  result: TargetResult,
): Promise<void> {
  let cost = await measure(target, input)
  result.inputs += 1
  if (cost.outcome === 'answered') result.answered += 1
  for (let again = 1; again < ATTEMPTS_WHEN_SLOW && isSlow(target, cost); again++) {
    const next = await measure(target, input)
    if (next.cpuMs < cost.cpuMs) cost = next
  }
  const { worstCpuMs } = result
  worstCpuMs[cost.outcome] = Math.max(worstCpuMs[cost.outcome], cost.cpuMs)
  result.worstMs = Math.max(result.worstMs, cost.ms)
  if (!isSlow(target, cost)) return
  const ceiling = target.ceilings[cost.outcome]
  throw new Finding(
    `${cost.outcome}, for ${Math.round(cost.cpuMs)} ms of processor time; the ceiling is ${ceiling} ms`,
  )
}

interface Cost {
  outcome: Outcome
  cpuMs: number
  ms: number
}

async function measure<Input>(target: OpenTarget<Input>, input: Input): Promise<Cost> {
  const cpuBefore = target.readCpuMs()
  const startedAt = performance.now()
  const outcome = await target.attempt(input)
  return {
    outcome,
    cpuMs: target.readCpuMs() - cpuBefore,
    ms: performance.now() - startedAt,
  }
}

function isSlow<Input>({ ceilings }: OpenTarget<Input>, { outcome, cpuMs }: Cost): boolean {
  return cpuMs > ceilings[outcome]
}

function describeEffect(error: unknown): string {
  if (error instanceof Finding) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
