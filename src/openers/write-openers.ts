import type { InferenceCall } from '../inference/call.js'
import type { LanguageModel } from '../inference/language/language.js'
import type { Prompts } from '../inference/language/prompts.js'
import { ServiceError } from '../core/service-error.js'
import { judgeCandidate, type Candidate } from './judge-candidate.js'
import type { OpenerFacts } from './opener-facts.js'
import type { Opener } from './openers-contract.js'
import { candidatesPerStyle, chooseCandidate, limitsFor } from './search-limits.js'
import { listPossibleStyles, type Style, type Tone } from './styles.js'
import { createCandidateWriter, type WrittenCandidate } from './write-candidates.js'

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

/** A style for which an opener is sought. */
interface Search {
  style: Style
  /** Number of the first candidate. */
  from: number
  written: WrittenCandidate[]
}

/** More candidates than a search has, so that a second one of the same style has others. */
const SECOND_PASS_FROM = 100

/**
 * Writes `count` openers, each in a style of its own as far as the material carries, and hands over each one as soon
 * as it is chosen. Styles are written side by side: what all candidates begin with is evaluated once, and a batch of
 * the language model costs less than its texts one by one. Nothing is handed over that fails a check: more candidates
 * are tried, then other styles.
 * @throws ServiceError `model_unavailable` when the model writes nothing that passes
 */
export async function writeOpeners(task: WritingTask, tools: WritingTools): Promise<Opener[]> {
  const { facts, tone, count, seed } = task
  const styles = listPossibleStyles(tone, {
    hasPhotoElements: facts.photoElements.length > 0,
    hasCommonGround: facts.commonGround.length > 0,
  })
  const { critic } = tools.prompts.openerGuidance
  const limits = limitsFor(critic)
  const writeCandidates = createCandidateWriter({ facts, tone, seed }, tools)
  const openers: Opener[] = []

  /** Releases the opener of a search if it has one by now. */
  function release({ style, written }: Search, added: number, acceptable: number): boolean {
    const earlier = openers.map(({ text }) => text)
    // What an earlier round wrote is judged again: another style may have said the same in the meantime.
    const judged = written.map((one) => judgeCandidate(one, { style, facts, earlier, critic }))
    for (const { candidate } of judged.slice(-added)) tools.onCandidate(candidate)
    const passed = judged.filter(({ candidate }) => candidate.outcome === 'passed')
    const text = chooseCandidate(passed, { ...limits, acceptable })?.candidate.text
    if (text === undefined) return false
    const opener = { text, style, length: [...text].length }
    openers.push(opener)
    tools.onOpener(opener, openers.length - 1)
    return true
  }

  /** Writes more candidates of each style. Returns those that still have no opener. */
  async function runRound(searches: Search[], each: number, acceptable: number): Promise<Search[]> {
    const rounds = searches.map(async ({ style, from, written }) => {
      const range = { from: from + written.length, count: each }
      written.push(...(await writeCandidates(style, range)))
    })
    // When one fails the others have nobody left to report to.
    void Promise.allSettled(rounds)
    const open: Search[] = []
    // Always in the same order: an opener depends on those before it.
    for (const [index, search] of searches.entries()) {
      await rounds[index]
      if (!release(search, each, acceptable)) open.push(search)
    }
    return open
  }

  // The second pass uses a style again: two good openers of one style are worth more than a missing one.
  for (const pass of [0, 1]) {
    const untried = styles.map((style): Search => {
      return { style, from: pass * SECOND_PASS_FROM, written: [] }
    })
    while (openers.length < count && untried.length > 0) {
      let searches = untried.splice(0, count - openers.length)
      const each = candidatesPerStyle(limits, searches.length)
      for (let round = 1; searches.length > 0 && round <= limits.maxRounds; round++) {
        const isLast = round === limits.maxRounds
        const lowest = pass === 0 ? limits.acceptable : -Infinity
        searches = await runRound(searches, each, isLast ? lowest : limits.good)
      }
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
