import os from 'node:os'
import type { Config } from '../../config/config.js'
import { readCgroupLimits } from '../../config/cgroup-limits.js'
import { countUsableCores, type CoreFacts } from '../../config/usable-cores.js'
import { ok, warning, type Finding } from '../check.js'

/** Checks that the model workers use no more threads than there are cores; surplus threads wait for each other. */
export function checkCores(
  { inference }: Pick<Config, 'inference'>,
  facts: CoreFacts = { cores: os.availableParallelism(), quota: readCgroupLimits().cores },
): Finding {
  const { cores, quota = cores } = facts
  const usable = countUsableCores(facts)
  const { visionThreads, languageThreads, languageEngines, visionEngines } = inference
  const here = {
    // With KServe engines, photos are still decoded here.
    ...(visionEngines?.protocol !== 'worker' && { VISION_THREADS: visionThreads }),
    ...(!languageEngines && { LANGUAGE_THREADS: languageThreads }),
  }
  if (Object.keys(here).length === 0) return ok(`${usable} cores; the models run elsewhere`)
  const threads = Math.max(...Object.values(here))
  if (threads > usable) {
    const settings = Object.keys(here).map((name) => `${name}=${usable}`)
    return warning(
      `${threads} threads for the ${quota} cores that the container or service manager allows: many times slower`,
      `Set ${settings.join(' and ')}, or allow more cores.`,
    )
  }
  if (usable < 2) {
    return warning(
      'one core, shared by server and models',
      'Use two or more cores: with one, answers take about twice as long.',
    )
  }
  return ok(`${usable} cores, ${threads} threads per worker`)
}
