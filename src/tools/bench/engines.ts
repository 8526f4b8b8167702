import path from 'node:path'
import { openPack } from '../../packs/open-pack.js'
import { describeMachine } from '../describe-machine.js'
import { PROJECT_FOLDER } from '../project-folder.js'
import type { BenchOptions } from './bench-options.js'
import { compareSpeed } from './engines/compare-speed.js'
import { compareTexts } from './engines/compare-texts.js'
import { leaveStreams } from './engines/leave-streams.js'
import { loadPackPrompts } from './engines/open-language-host.js'
import { printReport, type EnginesReport } from './engines/print-engines.js'
import { surviveFailure } from './engines/survive-failure.js'
import { findPeer } from './peers/peer-process.js'
import { publish } from './report/publish.js'
import { THREADS } from './service/start-standalone-worker.js'

const LLM_PACK = 'smollm2-135m-openers'
const DEFAULT_ROUNDS = 3
/** As many as the language worker has by default. */
const SEQUENCES = 12

/**
 * Compares the language worker with llama-server behind LANGUAGE_URL: same texts, speed, how soon it stops for a client that has left, and
 * texts lost when one of two engines is killed.
 */
export async function runBenchmark(options: BenchOptions): Promise<void> {
  const bin = findPeer('BENCH_LLAMA_CPP', 'llama-server')
  if (!bin) return
  const { only, rounds = DEFAULT_ROUNDS } = options
  const isWanted = (part: string) => only === undefined || only.includes(part)
  const modelsDir = path.join(PROJECT_FOLDER, 'models')
  const pack = await openPack({ modelsDir }, LLM_PACK, 'llm')
  const prompts = await loadPackPrompts(pack)
  const engine = { bin, threads: THREADS, sequences: SEQUENCES }
  const report: EnginesReport = {
    benchmark: only === undefined ? 'engines' : `engines-${only.join('-')}`,
    machine: describeMachine(),
    agreement: isWanted('texts') ? await compareTexts(pack, prompts, engine) : undefined,
    speed: isWanted('speed') ? await compareSpeed(pack, prompts, { ...engine, rounds }) : undefined,
    leaving: isWanted('leaving') ? await leaveStreams(pack, engine) : undefined,
    failure: isWanted('failure') ? await surviveFailure(pack, prompts, engine) : undefined,
  }
  publish(report, options, { print: printReport })
}
