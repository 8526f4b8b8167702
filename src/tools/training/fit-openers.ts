import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { completeFacts, type KnownFacts } from '../../openers/opener-facts.js'
import { scoreCandidate, extractFeatures, type RerankerInput } from '../../openers/reranker.js'
import { PROJECT_FOLDER } from '../project-folder.js'
import { auc } from '../statistics/agreement.js'
import { fitReranker, type Row as GradedRow } from './fit-reranker.js'

/**
 * Fits the reranker of a language pack to candidates that people have graded: `node scripts/tool.js training/fit-openers PACK`.
 * Reads `recipe/opener-grades.jsonl` of the pack, one line for each profile and reader (`facts`, `reader`, `candidates`; a grade
 * is 0 for what makes no sense, 1 for what does and is bland or odd, 2 for what one would send), and writes
 * `opener.critic.json` among its prompts. Prints what the reranker is worth on profiles it was not fitted to.
 */

const FOLDS = 8
/** Graded candidates that a beginning needs for a weight of its own. */
const LEAST_SEEN = 3

type Row = GradedRow & { input: RerankerInput }

/** A line of `opener-grades.jsonl`: what a reader thinks of the candidates for a profile. */
interface GradedProfile {
  facts: KnownFacts
  reader: string
  candidates: {
    style: string
    pattern: string
    /** Text of the beginning. */
    given: string
    text: string
    certainty: { mean: number; least: number }
    grade: number
  }[]
}

const [pack = 'smollm2-135m-openers'] = process.argv.slice(2)

const folder = path.join(PROJECT_FOLDER, 'models', pack)
const text = readFileSync(path.join(folder, 'recipe', 'opener-grades.jsonl'), 'utf8')
const lines = text
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as GradedProfile)
const profiles = [...new Set(lines.map(({ facts }) => facts.bio))]
const rows = lines.flatMap(readRows)
report()
const fitted = fitReranker(rows, { leastSeen: LEAST_SEEN })
writeFileSync(
  path.join(folder, 'prompts', 'opener.critic.json'),
  `${JSON.stringify(
    {
      fitted: {
        date: new Date().toISOString().slice(0, 10),
        data: `sha256 ${createHash('sha256').update(text).digest('hex')}`,
        candidates: rows.length,
      },
      ...fitted,
    },
    undefined,
    2,
  )}\n`,
)

function readRows({ facts, reader, candidates }: GradedProfile): Row[] {
  const profile = profiles.indexOf(facts.bio)
  const complete = completeFacts(facts)
  return candidates.map((candidate) => {
    const { style, pattern, given, text, certainty, grade } = candidate
    const beginning = { pattern, text: given, end: undefined }
    const input = {
      text,
      beginning,
      logprob: { mean: certainty.mean, min: certainty.least },
      facts: complete,
    }
    const features = extractFeatures(input)
    return { profile, reader, style, pattern, features, grade, input }
  })
}

/** Each profile is judged by a reranker fitted to the other folds. */
function report() {
  const judged = Array.from({ length: FOLDS }, (_, fold) => {
    const others = rows.filter(({ profile }) => profile % FOLDS !== fold)
    const reranker = fitReranker(others, { leastSeen: LEAST_SEEN })
    return rows
      .filter(({ profile }) => profile % FOLDS === fold)
      .map((row) => ({ ...row, score: scoreCandidate({ fitted: {}, ...reranker }, row.input) }))
  }).flat()
  console.log(`${rows.length} candidates, ${tell(rows)}`)
  const scores = judged.map(({ score }) => score)
  for (const least of [1, 2]) {
    const isGood = judged.map(({ grade }) => grade >= least)
    console.log(`AUC of grade ${least} and more: ${auc(scores, isGood).toFixed(3)}`)
  }
  for (const limit of [0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95]) {
    const above = judged.filter((row) => row.score >= limit)
    console.log(`score of ${limit} and more: ${above.length}, ${tell(above)}`)
  }
  for (const style of new Set(judged.map((row) => row.style))) {
    const own = judged.filter((row) => row.style === style)
    const above = own.filter((row) => row.score >= 0.8)
    console.log(
      `${style}: ${own.length}, ${tell(own)}; 0.8 and more: ${above.length}, ${tell(above)}`,
    )
  }
}

function tell(list: Row[]) {
  const share = (least: number) =>
    (list.filter(({ grade }) => grade >= least).length / Math.max(1, list.length)).toFixed(3)
  return `sensible ${share(1)}, would be sent ${share(2)}`
}
