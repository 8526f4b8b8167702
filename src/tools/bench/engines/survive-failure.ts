import { setTimeout as sleep } from 'node:timers/promises'
import type { Prompts } from '../../../inference/language/prompts.js'
import type { LlmPack } from '../../../packs/open-pack.js'
import { median } from '../../statistics/quantile.js'
import { generateAll } from './generate-all.js'
import { createOpenerRequests } from './opener-requests.js'
import { openLanguageHost } from './open-language-host.js'
import { startEngine, type EngineOptions } from './start-engine.js'

const TEXTS = 240
const AT_A_TIME = 8

export interface FailureReport {
  texts: number
  failed: number
  medianMs: number
  slowestMs: number
}

/** Kills one of two engines while eight texts are in generation, a quarter of all being written. */
export async function surviveFailure(
  pack: LlmPack,
  prompts: Prompts,
  engine: EngineOptions,
): Promise<FailureReport> {
  const { temperature } = prompts.sampling
  const requests = createOpenerRequests(prompts, { count: TEXTS, temperature })
  const options = { ...engine, threads: Math.max(1, Math.floor(engine.threads / 2)) }
  const engines = [await startEngine(pack, options), await startEngine(pack, options)]
  const host = await openLanguageHost(
    pack,
    engines.map(({ url }) => url),
  )
  try {
    let done = 0
    const answering = generateAll(host, requests, AT_A_TIME, () => (done += 1))
    while (done < TEXTS / 4) await sleep(5)
    await engines[0]!.kill()
    const answers = await answering
    const ms = answers.map((answer) => answer.ms)
    return {
      texts: answers.length,
      failed: answers.filter(({ isFailed }) => isFailed).length,
      medianMs: Math.round(median(ms)),
      slowestMs: Math.round(Math.max(...ms)),
    }
  } finally {
    await host.close()
    for (const { kill } of engines) await kill()
  }
}
