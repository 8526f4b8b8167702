import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { startUpCall } from '../../inference/inference-call.js'
import { photoReferenceSchema } from '../../photos/photo-reference.js'
import { readBio } from '../../preferences/bio-preferences.js'
import { collectEntries, type Candidate } from '../../preferences/collect-entries.js'
import {
  createLearnedEntries,
  type EntryDirections,
  type EntryFeatures,
  type EntryKind,
  type FeatureWeights,
  type LearnedEntries,
} from '../../preferences/learned-entries.js'
import { embedProfileTerms } from '../../preferences/profile-terms.js'
import { selectEntries } from '../../preferences/select-entries.js'
import { seePhotos } from '../../profile/see-photos.js'
import { roundTo } from '../../text/round-to.js'
import { countMatches, createTextComparison, type TextComparison } from '../eval/entry-matching.js'
import { readProfiles, type Person } from '../eval/read-profiles.js'
import { openConfiguredService } from '../eval/service-under-test.js'
import { photoReferences } from '../eval/tagged-photos.js'
import { PROJECT_FOLDER } from '../project-folder.js'
import { fitLogistic } from '../statistics/logistic-regression.js'

/**
 * Fits the feature weights in src/preferences/entry-features.json and prints their accuracy in cross-validation:
 * `node scripts/tool.js training/fit-preferences TUNING.jsonl`. The profiles must be new to the language model and to
 * `fit_learned_entries.py`.
 */

/** A profile with its candidate entries. */
interface LabelledProfile {
  person: Person
  candidates: Candidate[]
  /** For each candidate, whether it matches a label. */
  isRight: boolean[]
  compare: TextComparison
}

const RIDGE = 0.001
const FOLDS = 8
const KINDS: readonly EntryKind[] = ['interest', 'lifestyle']
const LABELS = { interest: 'interests', lifestyle: 'lifestyle' } as const
const FEATURES = ['read', 'known', 'fit', 'bio', 'photos', 'shared'] as const
const DECIMALS = 3
/** Candidates do not depend on the weights. */
const ZERO_WEIGHTS = { bias: 0, weights: toWeights(() => 0) }

const [file] = process.argv.slice(2)
if (!file) {
  console.error('Usage: node scripts/tool.js training/fit-preferences TUNING.jsonl')
  process.exit(2)
}
const { pairs, sha256 } = readProfiles(path.resolve(file))
const people = pairs.flatMap(({ sender, recipient }) => [sender, recipient])
const directions = JSON.parse(
  readFileSync(weightsFile('learned-entries'), 'utf8'),
) as EntryDirections
const call = startUpCall()
const service = await openConfiguredService()
const { context } = service
const similarity = await context.textSimilarity()
try {
  const learned = await createEntries({ interest: ZERO_WEIGHTS, lifestyle: ZERO_WEIGHTS })
  const profiles: LabelledProfile[] = []
  for (const person of people) profiles.push(await collectCandidates(person, learned))
  await printCrossValidation(profiles)
  const fitted = {
    date: new Date().toISOString().slice(0, 10),
    data: `sha256 ${sha256}`,
    profiles: people.length,
  }
  const features = fitRegressions(profiles)
  writeFileSync(
    weightsFile('entry-features'),
    `${JSON.stringify({ fitted, features }, undefined, 2)}\n`,
  )
} finally {
  await service.close()
}

function weightsFile(name: string): string {
  return path.join(PROJECT_FOLDER, 'src', 'preferences', `${name}.json`)
}

function createEntries(weights: FeatureWeights): Promise<LearnedEntries> {
  return createLearnedEntries(directions, weights, similarity, call)
}

async function collectCandidates(
  person: Person,
  learned: LearnedEntries,
): Promise<LabelledProfile> {
  const { bio } = person
  const references = photoReferences(person.photos).map((url) => photoReferenceSchema.parse(url))
  const photos = await context.photos.load({ photos: references }, call)
  const seen = await seePhotos(context, { photos, field: 'photos' }, call)
  const tags = seen.map((photo) => photo.tags)
  const terms = await embedProfileTerms({ bio, tags }, similarity, call)
  const photoTags = terms.tags.map(({ text }) => text)
  const tools = { language: context.language, prompts: context.prompts(), call }
  const read = await readBio({ bio, photoTags }, tools)
  const candidates = await collectEntries(
    { bio, tags, terms, read: read.entries },
    { similarity, learned },
    call,
  )
  const values = candidates.map(({ value }) => value)
  const texts = [...person.interests, ...person.lifestyle, ...values]
  const compare = await createTextComparison(texts, similarity, call)
  const isRight = candidates.map(
    ({ kind, value }) => countMatches([value], person[LABELS[kind]], compare) > 0,
  )
  return { person, candidates, isRight, compare }
}

function fitRegressions(profiles: readonly LabelledProfile[]): FeatureWeights {
  return {
    interest: fitRegression('interest', profiles),
    lifestyle: fitRegression('lifestyle', profiles),
  }
}

/** Fits a logistic regression that predicts which candidates of a kind match a label. */
function fitRegression(
  kind: EntryKind,
  profiles: readonly LabelledProfile[],
): FeatureWeights[EntryKind] {
  const rows = profiles
    .flatMap(({ candidates, isRight }) =>
      candidates.map((candidate, i) => ({ ...candidate, target: Number(isRight[i]) })),
    )
    .filter((candidate) => candidate.kind === kind)
  const { bias, weights } = fitLogistic(
    rows.map(({ features }) => FEATURES.map((name) => features[name])),
    rows.map(({ target }) => target),
    RIDGE,
  )
  return {
    bias: roundTo(bias, DECIMALS),
    weights: toWeights((i) => roundTo(weights[i]!, DECIMALS)),
  }
}

function toWeights(weightAt: (index: number) => number): EntryFeatures {
  const entries = FEATURES.map((name, i) => [name, weightAt(i)])
  return Object.fromEntries(entries) as Record<keyof EntryFeatures, number>
}

/** Prints F1, precision and recall of the selected entries; each fold is selected with weights fitted to the others. */
async function printCrossValidation(profiles: readonly LabelledProfile[]): Promise<void> {
  const selected = []
  for (let fold = 0; fold < FOLDS; fold++) {
    // Both sides of a pair are in the same fold.
    const isInFold = (i: number) => Math.floor(i / 2) % FOLDS === fold
    const learned = await createEntries(fitRegressions(profiles.filter((_, i) => !isInFold(i))))
    for (const { person, candidates, compare } of profiles.filter((_, i) => isInFold(i))) {
      const evidence = selectEntries(candidates, learned, similarity.standardize)
      selected.push({ person, evidence, compare })
    }
  }
  for (const kind of KINDS) {
    const total = { matched: 0, inferred: 0, labelled: 0 }
    for (const { person, evidence, compare } of selected) {
      const ofKind = evidence.filter((piece) => piece.kind === kind)
      const values = [...new Set(ofKind.map(({ value }) => value))]
      total.matched += countMatches(values, person[LABELS[kind]], compare)
      total.inferred += values.length
      total.labelled += person[LABELS[kind]].length
    }
    const { matched, inferred, labelled } = total
    const scores = [
      `F1 ${((2 * matched) / (inferred + labelled)).toFixed(3)}`,
      `precision ${(matched / inferred).toFixed(3)}`,
      `recall ${(matched / labelled).toFixed(3)}`,
      `${(inferred / selected.length).toFixed(2)} per profile`,
    ]
    console.log(`${kind}: ${scores.join(', ')}`)
  }
}
