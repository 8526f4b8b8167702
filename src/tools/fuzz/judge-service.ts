import type { ServiceRole } from '../bench/service/service-processes.js'
import type { ServiceReport } from './service/fuzzed-service.js'

/** Generous: twice what the processes need under load. Memory beyond it is a leak or an input that was not bounded. */
export const MEMORY_CEILINGS_MB: Record<ServiceRole, number> = {
  server: 1_024,
  vision: 2_048,
  language: 1_536,
}
/** From half of the run to its end. */
const MAX_GROWTH_MB = 300
/** Others may use the machine, the generator of the inputs first of all. */
const MAX_HEALTH_MS = 2_000

/** What is wrong with a service after all inputs, one sentence each. */
export function judgeService({ health, memory, workerFailures }: ServiceReport): string[] {
  const problems: string[] = []
  for (const { process, middleMb, lastMb, peakMb } of memory) {
    if (peakMb > MEMORY_CEILINGS_MB[process]) {
      problems.push(`the ${process} process took ${peakMb} MB`)
    }
    if (lastMb - middleMb > MAX_GROWTH_MB) {
      problems.push(`the ${process} process grew from ${middleMb} to ${lastMb} MB`)
    }
  }
  if (health.failures > 0) problems.push(`/healthz failed ${health.failures} times`)
  if (health.maxMs > MAX_HEALTH_MS) {
    problems.push(`/healthz took ${Math.round(health.maxMs)} ms`)
  }
  if (workerFailures > 0) problems.push(`a model worker failed ${workerFailures} times`)
  return problems
}
