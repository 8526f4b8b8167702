import os from 'node:os'
import type { Config } from '../../config/config.js'
import { readCgroupLimits } from '../../config/cgroup-limits.js'
import { countUsableCores, type CoreFacts } from '../../config/usable-cores.js'
import { ok, warning, type Finding } from '../check.js'

/** Whether the model workers use as many threads as there are cores for them: with more they wait for each other. */
export function checkCores(
  { inference }: Pick<Config, 'inference'>,
  facts: CoreFacts = { cores: os.availableParallelism(), quota: readCgroupLimits().cores },
): Finding {
  const { cores, quota = cores } = facts
  const usable = countUsableCores(facts)
  const threads = Math.max(inference.visionThreads, inference.languageThreads)
  if (threads > usable) {
    return warning(
      `${threads} threads on ${quota} cores, which a limit of the container or service sets: many times slower`,
      `Set VISION_THREADS=${usable} and LANGUAGE_THREADS=${usable}, or give it more cores.`,
    )
  }
  if (usable < 2) {
    return warning(
      'one core, which server and models share',
      'Give it two cores or more: answers take about twice as long on one.',
    )
  }
  return ok(`${usable} cores, ${threads} threads for a worker`)
}
