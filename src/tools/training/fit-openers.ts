import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { completeFacts, type KnownFacts } from '../../openers/opener-facts.js'
import { extractFeatures, scoreCandidate, type RerankerInput } from '../../openers/reranker.js'
import { PROJECT_FOLDER } from '../project-folder.js'
import { auc } from '../statistics/agreement.js'
import { fitReranker, type GradedCandidate } from './fit-reranker.js'

/**
 * Fits the reranker of a language pack to candidates that people graded:
 * `node scripts/tool.js training/fit-openers PACK`. Reads `recipe/opener-grades.jsonl` of the pack and writes
 * `opener.critic.json` among its prompts. Prints the accuracy on profiles that the reranker was not fitted to.
 */

const FOLDS = 8
/** Graded candidates that a beginning needs for a weight of its own. */
const MIN_COUNT = 3
/** Score from which the report counts candidates of each style. */
const HIGH_SCORE = 0.8
const REPORTED_SCORES = [0.5, 0.6, 0.7, 0.75, HIGH_SCORE, 0.85, 0.9, 0.95]

/** A line of `opener-grades.jsonl`: the grades of one reader for the candidates of one profile. */
interface GradedProfile {
  facts: KnownFacts
  reader: string
  candidates: {
    style: string
    pattern: string
    /** Text of the beginning. */
    given: string
    text: string
    /** Logprobs of the generated tokens. */
    certainty: { mean: number; least: number }
    /** 0 makes no sense, 1 makes sense but is bland or odd, 2 would be sent. */
    grade: number
  }[]
}

interface Candidate extends GradedCandidate {
  style: string
  /** Number of the profile. */
  profile: number
  input: RerankerInput
}

const [pack = 'smollm2-135m-openers'] = process.argv.slice(2)
const folder = path.join(PROJECT_FOLDER, 'models', pack)
const text = readFileSync(path.join(folder, 'recipe', 'opener-grades.jsonl'), 'utf8')
const candidates = readCandidates(text)
printCrossValidation()
const fitted = {
  date: new Date().toISOString().slice(0, 10),
  data: `sha256 ${createHash('sha256').update(text).digest('hex')}`,
  candidates: candidates.length,
}
const reranker = { fitted, ...fitReranker(candidates, { minCount: MIN_COUNT }) }
writeFileSync(
  path.join(folder, 'prompts', 'opener.critic.json'),
  `${JSON.stringify(reranker, undefined, 2)}\n`,
)

function readCandidates(lines: string): Candidate[] {
  const graded = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as GradedProfile)
  const bios = [...new Set(graded.map(({ facts }) => facts.bio))]
  return graded.flatMap((line) => listCandidates(line, bios.indexOf(line.facts.bio)))
}

function listCandidates(graded: GradedProfile, profile: number): Candidate[] {
  const facts = completeFacts(graded.facts)
  return graded.candidates.map(({ style, pattern, given, text: written, certainty, grade }) => {
    const input = {
      text: written,
      beginning: { pattern, text: given, end: undefined },
      logprob: { mean: certainty.mean, min: certainty.least },
      facts,
    }
    const features = extractFeatures(input)
    return { profile, reader: graded.reader, style, pattern, features, grade, input }
  })
}

/** Prints the accuracy of rerankers that are each fitted to the other folds of profiles. */
function printCrossValidation(): void {
  const scored = Array.from({ length: FOLDS }, (_, fold) => {
    const others = candidates.filter(({ profile }) => profile % FOLDS !== fold)
    const foldReranker = { fitted: {}, ...fitReranker(others, { minCount: MIN_COUNT }) }
    return candidates
      .filter(({ profile }) => profile % FOLDS === fold)
      .map((candidate) => ({ ...candidate, score: scoreCandidate(foldReranker, candidate.input) }))
  }).flat()
  console.log(`${candidates.length} candidates, ${describeGrades(candidates)}`)
  const scores = scored.map(({ score }) => score)
  for (const minGrade of [1, 2]) {
    const isGood = scored.map(({ grade }) => grade >= minGrade)
    console.log(`AUC of grade ${minGrade} or more: ${auc(scores, isGood).toFixed(3)}`)
  }
  for (const limit of REPORTED_SCORES) {
    const above = scored.filter(({ score }) => score >= limit)
    console.log(`score of ${limit} or more: ${above.length}, ${describeGrades(above)}`)
  }
  for (const style of new Set(scored.map((candidate) => candidate.style))) {
    const own = scored.filter((candidate) => candidate.style === style)
    const above = own.filter(({ score }) => score >= HIGH_SCORE)
    console.log(
      `${style}: ${own.length}, ${describeGrades(own)}; score of ${HIGH_SCORE} or more: ${above.length}, ${describeGrades(above)}`,
    )
  }
}

function describeGrades(graded: readonly GradedCandidate[]): string {
  const share = (minGrade: number) => {
    const count = graded.filter(({ grade }) => grade >= minGrade).length
    return (count / Math.max(1, graded.length)).toFixed(3)
  }
  return `sensible ${share(1)}, would be sent ${share(2)}`
}
