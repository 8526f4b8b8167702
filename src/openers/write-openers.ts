import type { InferenceCall } from '../inference/call.js'
import type { LanguageModel } from '../inference/language.js'
import type { Prompts } from '../inference/prompts.js'
import { ServiceError } from '../errors.js'
import { judgeCandidate, type Candidate } from './judge-candidate.js'
import type { OpenerFacts } from './opener-facts.js'
import type { Opener } from './openers-contract.js'
import { listPossibleStyles, type Style, type Tone } from './styles.js'
import { writeCandidates } from './write-candidates.js'

export interface WritingTask {
  facts: OpenerFacts
  tone: Tone
  count: number
  /** The same seed with the same task and model gives the same openers. */
  seed: string
}

export interface WritingTools {
  language: LanguageModel
  prompts: Prompts
  call: InferenceCall
  onOpener(opener: Opener, index: number): void
  /** Sees every candidate as soon as it is judged. */
  onCandidate(candidate: Candidate): void
}

/** How hard the search for the best candidate of a style is. */
interface Search {
  /** Candidates written at the same time. */
  perRound: number
  maxRounds: number
  /** Candidates that pass before a round ends the search whatever their score. */
  enough: number
  /** Score that ends the search at once. */
  good: number
  /** Score below which another style is tried first. */
  acceptable: number
}

// Rounds are cheap with a small model that begins as its pack says, and its critic knows a good one.
const GUIDED: Search = { perRound: 8, maxRounds: 2, enough: Infinity, good: 0.82, acceptable: 0.75 }
const UNGUIDED: Search = {
  perRound: 2,
  maxRounds: 3,
  enough: 2,
  good: Infinity,
  acceptable: -Infinity,
}

/**
 * Writes `count` openers, each in a style of its own as far as the material carries, and hands over each one as soon
 * as it is chosen. Nothing is handed over that fails a check: more candidates are tried, then another style.
 * @throws ServiceError `model_unavailable` when the model writes nothing that passes
 */
export async function writeOpeners(task: WritingTask, tools: WritingTools): Promise<Opener[]> {
  const styles = listPossibleStyles(task.tone, {
    hasPhotoElements: task.facts.photoElements.length > 0,
    hasCommonGround: task.facts.commonGround.length > 0,
  })
  const search = tools.prompts.openerGuidance.critic ? GUIDED : UNGUIDED
  const openers: Opener[] = []
  // The second pass uses a style again: two good openers of one style are worth more than a missing one.
  for (const pass of [0, 1]) {
    for (const style of styles) {
      if (openers.length === task.count) break
      const earlier = openers.map((opener) => opener.text)
      const acceptable = pass === 0 ? search.acceptable : -Infinity
      const text = await writeOpener(task, tools, {
        style,
        earlier,
        search: { ...search, acceptable },
        from: pass * search.perRound * search.maxRounds,
      })
      if (text === undefined) continue
      const opener = { text, style, length: [...text].length }
      openers.push(opener)
      tools.onOpener(opener, openers.length - 1)
    }
  }
  if (openers.length === 0) {
    throw new ServiceError(
      'model_unavailable',
      'The language model wrote nothing fit to send for this profile. Retry, or send a bio with more detail.',
    )
  }
  return openers
}

interface Slot {
  style: Style
  earlier: readonly string[]
  search: Search
  /** Number of the first candidate. */
  from: number
}

async function writeOpener(
  { facts, tone, seed }: WritingTask,
  tools: WritingTools,
  { style, earlier, search, from }: Slot,
): Promise<string | undefined> {
  const { perRound, maxRounds, enough, good, acceptable } = search
  const { critic } = tools.prompts.openerGuidance
  const passed: { text: string; score: number; isFresh: boolean }[] = []
  let best: (typeof passed)[number] | undefined
  for (let round = 0; round < maxRounds; round++) {
    const range = { from: from + round * perRound, count: perRound }
    for (const written of await writeCandidates({ facts, tone, style, seed, ...range }, tools)) {
      const { candidate, score, isFresh } = judgeCandidate(written, {
        style,
        facts,
        earlier,
        critic,
      })
      tools.onCandidate(candidate)
      if (candidate.outcome === 'passed') passed.push({ text: candidate.text, score, isFresh })
    }
    // The first good one, not the very best: that would be the same few beginnings for everybody.
    const goodOnes = passed.filter(({ score }) => score >= good)
    const firstGood = goodOnes.find(({ isFresh }) => isFresh) ?? goodOnes[0]
    if (firstGood) return firstGood.text
    best = passed.toSorted((left, right) => right.score - left.score)[0]
    if (best && passed.length >= enough) return best.text
  }
  return best && best.score >= acceptable ? best.text : undefined
}
