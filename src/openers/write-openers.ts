import { ServiceError } from '../core/service-error.js'
import { assessCandidate, type Candidate } from './assess-candidate.js'
import { assessExemplar, chooseExemplar, speaksOf } from './exemplars/assess-exemplar.js'
import type { TrueExemplar } from './exemplars/exemplar-library.js'
import type { ExemplarSource } from './exemplars/exemplar-source.js'
import type { CandidateTraits, PolicyChoice } from './opener-policy.js'
import type { OpenerTraits } from './opener-traits.js'
import type { Opener } from './openers-contract.js'
import {
  candidatesPerStyle,
  chooseCandidate,
  selectSearchLimits,
  type SearchLimits,
} from './search-limits.js'
import type { Style } from './styles.js'
import {
  createCandidateWriter,
  type CandidateTask,
  type CandidateWriter,
  type WriterParts,
  type WrittenCandidate,
} from './write-candidates.js'

export interface WritingTask extends CandidateTask {
  count: number
  /** The styles to write, in this order, and what is preferred among candidates. */
  choice: Pick<PolicyChoice, 'styles' | 'preference'>
}

/** An opener and where it stands in the answer. */
export interface ReleasedOpener {
  opener: Opener
  index: number
  traits: OpenerTraits
}

export interface WriterTools extends WriterParts {
  exemplars: ExemplarSource
  /** Receives each opener as soon as it is chosen. */
  onOpener(released: ReleasedOpener): void
  /** Receives each candidate as soon as it is assessed. */
  onCandidate(candidate: Candidate): void
}

/** The search for one opener of a style. */
interface StyleSearch {
  style: Style
  /** Number of the first candidate. */
  from: number
  written: WrittenCandidate[]
}

interface Pass {
  /** Number of the first candidate of each style. */
  from: number
  /** Score that a candidate needs in the last round of a style. */
  minScore: number
}

// A candidate's number is part of its seed. The first pass writes at most 24 candidates of a style (3 rounds of 8), so
// the ranges of the passes do not overlap and the second pass writes new candidates.
const FIRST_PASS_FROM = 0
const SECOND_PASS_FROM = 100

/**
 * Writes `count` openers, or fewer if too few candidates pass. Exemplars come first, as readers prefer two of one style to one
 * that a small model wrote; the language model writes what they leave open, each in a different style as far as possible. An
 * opener that fails a check is never released: more candidates are tried, then other styles.
 * @throws ServiceError `model_unavailable` when no candidate passes the checks
 */
export async function writeOpeners(task: WritingTask, tools: WriterTools): Promise<Opener[]> {
  const search = new OpenerSearch(task, tools)
  search.releaseExemplars()
  await search.tryStyles(search.unusedStyles(), {
    from: FIRST_PASS_FROM,
    minScore: search.limits.acceptableScore,
  })
  // Uses styles again and accepts any score: a second opener of one style is better than a missing opener.
  await search.tryStyles(task.choice.styles, { from: SECOND_PASS_FROM, minScore: -Infinity })
  if (search.openers.length === 0) {
    throw new ServiceError(
      'model_unavailable',
      'The language model wrote no suitable opener for this profile. Retry, or send a bio with more detail.',
    )
  }
  return search.openers
}

/** What has happened so far while exemplars are released. */
interface ExemplarTurn {
  /** What the answer speaks of. */
  usedSubjects: Set<string>
  /** Candidates that were passed on. */
  reported: Set<number>
}

interface ReleaseStep {
  /** Least odds of being sent. */
  minOdds: number
  /** Whether it may be about the same thing as another of the answer. */
  isAboutSame?: boolean
  /** Whether it may be of any tone. */
  isOfAnyTone?: boolean
}

/** Each a factor √2 apart, so that one of another style or about something else comes first only where it is about as good. */
const LEAST_ODDS = [4, 2.8, 2, 1.4, 1, 0.7, 0.5]
/** Below, readers would send one in four, and find one in ten wrong for the person. */
const FAIR_ODDS = 0.4

/**
 * Which exemplars are released, one step after the other. Another about the same thing, and one in another tone, come before those
 * that hold for many; the last step is for those that hold for everybody.
 */
const RELEASE_STEPS: readonly ReleaseStep[] = [
  ...[...LEAST_ODDS, FAIR_ODDS].map((minOdds) => ({ minOdds })),
  { minOdds: FAIR_ODDS, isAboutSame: true },
  { minOdds: FAIR_ODDS, isAboutSame: true, isOfAnyTone: true },
  { minOdds: 0.25 },
  { minOdds: 0 },
]

class OpenerSearch {
  readonly openers: Opener[] = []
  readonly limits: SearchLimits
  readonly #task: WritingTask
  readonly #tools: WriterTools
  readonly #writeCandidates: CandidateWriter

  constructor(task: WritingTask, tools: WriterTools) {
    this.#task = task
    this.#tools = tools
    this.limits = selectSearchLimits(tools.prompts.openerGuidance.reranker)
    this.#writeCandidates = createCandidateWriter(task, tools)
  }

  unusedStyles(): Style[] {
    const used = new Set(this.openers.map(({ style }) => style))
    return this.#task.choice.styles.filter((style) => !used.has(style))
  }

  /**
   * Releases exemplars, the likeliest to be sent first. At each step in the order of the styles, one of each unused style, and then
   * more: of those that have something new to say, or in the step for them of all.
   */
  releaseExemplars(): void {
    const { exemplars } = this.#tools
    const { styles } = this.#task.choice
    const listed = styles.map((style) => ({ style, exemplars: exemplars.list(style) }))
    const turn: ExemplarTurn = { usedSubjects: new Set(), reported: new Set() }
    for (const { minOdds, isAboutSame, isOfAnyTone } of RELEASE_STEPS) {
      if (this.openers.length === this.#task.count) return
      const likely = listed.map(({ style, exemplars: inTone }) => ({
        style,
        exemplars: [...inTone, ...(isOfAnyTone ? exemplars.list(style, 'others') : [])].filter(
          ({ odds }) => odds >= minOdds,
        ),
      }))
      const unused = new Set(this.unusedStyles())
      for (const ofStyle of likely) {
        if (unused.has(ofStyle.style)) this.#releaseExemplar(ofStyle, turn)
      }
      const rounds = minOdds === 0 ? 1 : this.#task.count
      for (let round = 0; round < rounds; round++) {
        const before = this.openers.length
        for (const { style, exemplars: all } of likely) {
          const allowed = isAboutSame
            ? all
            : all.filter(({ exemplar }) => !speaksOf(exemplar, turn.usedSubjects))
          this.#releaseExemplar({ style, exemplars: allowed }, turn)
        }
        // The next round would judge the same exemplars beside the same openers.
        if (this.openers.length === before) break
      }
    }
  }

  #releaseExemplar(
    { style, exemplars }: { style: Style; exemplars: readonly TrueExemplar[] },
    { usedSubjects, reported }: ExemplarTurn,
  ): void {
    const { facts, choice, count } = this.#task
    if (this.openers.length === count) return
    const context = { style, facts, earlier: this.#texts(), preference: choice.preference }
    const assessed = exemplars.map((found) => assessExemplar(found, context))
    for (const { exemplar, candidate } of assessed) {
      if (!reported.has(exemplar.id)) this.#tools.onCandidate(candidate)
      reported.add(exemplar.id)
    }
    const chosen = chooseExemplar(assessed, usedSubjects)
    if (!chosen) return
    for (const subject of chosen.exemplar.subjects) usedSubjects.add(subject)
    this.#tools.exemplars.release(chosen.exemplar)
    this.#release(chosen.exemplar.text, chosen.traits)
  }

  /** Searches style after style until there are enough openers or every style was tried. */
  async tryStyles(styles: readonly Style[], { from, minScore }: Pass): Promise<void> {
    const { count } = this.#task
    const untried = styles.map((style): StyleSearch => ({ style, from, written: [] }))
    while (this.openers.length < count && untried.length > 0) {
      let open = untried.splice(0, count - this.openers.length)
      const perStyle = candidatesPerStyle(this.limits, open.length)
      for (let round = 1; open.length > 0 && round <= this.limits.maxRounds; round++) {
        const isLast = round === this.limits.maxRounds
        open = await this.#runRound(open, perStyle, isLast ? minScore : this.limits.goodScore)
      }
    }
  }

  /**
   * Writes more candidates of all styles at the same time: their prompts share a prefix, and a batch costs less than
   * its texts one by one. Returns the searches that still have no opener.
   */
  async #runRound(
    searches: StyleSearch[],
    perStyle: number,
    minScore: number,
  ): Promise<StyleSearch[]> {
    const writes = searches.map(async ({ style, from, written }) => {
      const range = { from: from + written.length, count: perStyle }
      written.push(...(await this.#writeCandidates(style, range)))
    })
    // When one write fails, nobody awaits the others; this marks their rejections as handled.
    void Promise.allSettled(writes)
    const open: StyleSearch[] = []
    // In the order of the styles, because an opener depends on those before it.
    for (const [index, search] of searches.entries()) {
      await writes[index]
      if (!this.#releaseBest(search, perStyle, minScore)) open.push(search)
    }
    return open
  }

  /** Releases the opener of a search. Returns false if no candidate is good enough. */
  #releaseBest({ style, written }: StyleSearch, added: number, minScore: number): boolean {
    const { facts, choice } = this.#task
    const { preference } = choice
    const { reranker } = this.#tools.prompts.openerGuidance
    const earlier = this.#texts()
    // Assesses earlier rounds again: another style may have released a similar opener in the meantime.
    const assessed = written.map((candidate) =>
      assessCandidate(candidate, { style, facts, earlier, reranker, preference }),
    )
    for (const { candidate } of assessed.slice(-added)) this.#tools.onCandidate(candidate)
    const passed = assessed.flatMap((assessment) => assessment.passed ?? [])
    const best = chooseCandidate(passed, this.limits, minScore)
    if (!best) return false
    this.#release(best.text, best.traits)
    return true
  }

  #texts(): string[] {
    return this.openers.map(({ text }) => text)
  }

  #release(text: string, traits: CandidateTraits): void {
    const opener = { text, style: traits.style, length: traits.length }
    const index = this.openers.push(opener) - 1
    this.#tools.onOpener({ opener, index, traits })
  }
}
