import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createTerms } from '../../openers/exemplars/bio-terms.js'
import { prepareConditions } from '../../openers/exemplars/exemplar-conditions.js'
import {
  extractOddsFeatures,
  logOdds,
  type OddsFeatures,
  type OddsModel,
  type ProfileFrequencies,
} from '../../openers/exemplars/exemplar-odds.js'
import { indexProfile } from '../../openers/exemplars/profile-index.js'
import { readExemplars } from '../../openers/exemplars/read-exemplars.js'
import { completeFacts, type OpenerFacts } from '../../openers/opener-facts.js'
import { findInterestsInBio } from '../../profile/bio-interests.js'
import { TAG_VOCABULARY } from '../../profile/tag-vocabulary.js'
import { roundTo } from '../../text/round-to.js'
import { readProfiles, type Person } from '../eval/read-profiles.js'
import { PROJECT_FOLDER } from '../project-folder.js'
import { auc } from '../statistics/agreement.js'
import { fitSoftmax } from '../statistics/softmax-regression.js'

/**
 * Fits how likely readers send an exemplar: `node scripts/tool.js training/fit-exemplar-odds`. Counts what labelled profiles
 * have, writes `profile-frequencies.json` and `exemplar-odds.json`, and prints how well a fit to the judgements of one set of pairs predicts those of the other.
 */

const EVALUATION = path.join(PROJECT_FOLDER, 'examples', 'evaluation')
const EXEMPLARS = path.join(PROJECT_FOLDER, 'src', 'openers', 'exemplars')
const COUNTED_PAIRS = ['training.jsonl', 'training-2.jsonl']
/** A word that a single profile has counts as unknown. */
const MIN_COUNT = 2
const RIDGE = 0.003
const DECIMALS = 3

/** A line of `exemplar-judgements.jsonl`: what readers said of the openers shown for one profile. */
interface JudgedProfile {
  pairs: string
  line: number
  /** Each text with a letter for each reader: S would be sent, O would rather not, X wrong for this person. */
  judgements: [text: string, grades: string][]
}

interface Judged {
  pairs: string
  features: OddsFeatures
  /** Share of the readers who would send it. */
  sent: number
}

const frequencies = countFrequencies()
writeJson('profile-frequencies.json', frequencies)
const source = readFileSync(path.join(EVALUATION, 'exemplar-judgements.jsonl'), 'utf8')
const judged = readJudged()
printAccuracy()
const fitted = {
  date: new Date().toISOString().slice(0, 10),
  data: `sha256 ${createHash('sha256').update(source).digest('hex')}`,
  exemplars: judged.length,
}
writeJson('exemplar-odds.json', { fitted, ...fit(judged) })

function countFrequencies(): ProfileFrequencies {
  const counts = {
    words: new Map<string, number>(),
    interests: new Map<string, number>(),
  }
  const pairs = COUNTED_PAIRS.flatMap((file) => readProfiles(path.join(EVALUATION, file)).pairs)
  for (const { recipient } of pairs) {
    const profile = indexProfile(toFacts(recipient))
    count(counts.words, profile.bio.stems)
    count(counts.interests, profile.likes)
  }
  return {
    profiles: pairs.length,
    words: toRecord(counts.words),
    interests: toRecord(counts.interests),
  }
}

function toFacts({ bio, photos }: Person): OpenerFacts {
  const tags = TAG_VOCABULARY.filter(({ tag }) => photos.includes(tag))
  const seen = tags.flatMap(({ interests }) => interests)
  return completeFacts({
    senderName: '',
    bio,
    photoElements: tags.map(({ tag }) => tag),
    likes: [...new Set([...findInterestsInBio(bio), ...seen])],
    senderLikes: [],
    commonGround: [],
    sharedInterests: [],
  })
}

function count(counts: Map<string, number>, names: Iterable<string>): void {
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
}

function toRecord(counts: ReadonlyMap<string, number>): Record<string, number> {
  const common = [...counts].filter(([, number]) => number >= MIN_COUNT)
  return Object.fromEntries(common.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Judged texts that the library has, with features; those that need something of the person. */
function readJudged(): Judged[] {
  const termOf = createTerms()
  const folder = path.join(PROJECT_FOLDER, 'models', 'opener-exemplars')
  const known = new Map(
    readExemplars(folder)
      .filter(({ when }) => !when.always && !when.thin)
      .flatMap(({ when, openers }) => {
        const conditions = prepareConditions(when, termOf)
        return openers.map(
          (opener) => [opener.text, extractOddsFeatures(conditions, opener, frequencies)] as const,
        )
      }),
  )
  const profiles = source
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as JudgedProfile)
  return profiles.flatMap(({ pairs, judgements }) =>
    judgements.flatMap(([text, grades]) => {
      const features = known.get(text)
      const sent = [...grades].filter((grade) => grade === 'S').length / grades.length
      return features ? [{ pairs, features, sent }] : []
    }),
  )
}

function fit(rows: readonly Judged[]): OddsModel {
  const names = Object.keys(rows[0]!.features) as (keyof OddsFeatures)[]
  const inputs = rows.map(({ features }) => names.map((name) => features[name]))
  const [unsent, sent] = fitSoftmax(
    inputs,
    rows.map((row) => [1 - row.sent, row.sent]),
    RIDGE,
  )
  const weights = names.map((name, i) => [
    name,
    roundTo(sent!.weights[i]! - unsent!.weights[i]!, DECIMALS),
  ])
  return {
    bias: roundTo(sent!.bias - unsent!.bias, DECIMALS),
    weights: Object.fromEntries(weights) as OddsFeatures,
  }
}

function printAccuracy(): void {
  for (const pairs of new Set(judged.map((row) => row.pairs))) {
    const held = judged.filter((row) => row.pairs === pairs)
    const model = fit(judged.filter((row) => row.pairs !== pairs))
    const area = auc(
      held.map(({ features }) => logOdds(model, features)),
      held.map(({ sent }) => sent >= 0.5),
    )
    console.log(
      `${pairs}: ${held.length} exemplars, area under the ROC curve ${area.toFixed(3)} by a fit to the others`,
    )
  }
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(path.join(EXEMPLARS, file), `${JSON.stringify(value, undefined, 2)}\n`)
}
