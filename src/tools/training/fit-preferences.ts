import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { startUpCall } from '../../inference/call.js'
import { photoReferenceSchema } from '../../photos/photo-reference.js'
import { readBio } from '../../preferences/bio-preferences.js'
import { collectEntries } from '../../preferences/collect-entries.js'
import {
  createLearnedEntries,
  type EntryFeatures,
  type FeatureWeights,
} from '../../preferences/learned-entries.js'
import { embedProfileTerms } from '../../preferences/profile-terms.js'
import { selectEntries } from '../../preferences/select-entries.js'
import { seePhotos } from '../../profile/see-photos.js'
import { createTextComparison, countMatches } from '../eval/entry-matching.js'
import type { Person } from '../eval/read-profiles.js'
import { readProfiles } from '../eval/read-profiles.js'
import { openConfiguredService } from '../eval/service-under-test.js'
import { photoReferences } from '../eval/tagged-photos.js'
import { PROJECT_FOLDER } from '../project-folder.js'
import { fitSoftmax } from '../statistics/softmax-regression.js'

/**
 * Fits the feature weights in src/preferences/entry-features.json and prints their accuracy in cross-validation:
 * `node scripts/tool.js training/fit-preferences TUNING.jsonl`. The profiles must be new to the language model and to
 * `fit_learned_entries.py`.
 */

export type Kind = 'interest' | 'lifestyle'

const RIDGE = 0.002
const FOLDS = 8
const KINDS: Kind[] = ['interest', 'lifestyle']
const LABELS = { interest: 'interests', lifestyle: 'lifestyle' } as const

const [argument] = process.argv.slice(2)
if (!argument) {
  console.error('Usage: node scripts/tool.js training/fit-preferences TUNING.jsonl')
  process.exit(2)
}
const file = path.resolve(argument)

const call = startUpCall()
const service = await openConfiguredService()
const { context } = service
const similarity = await context.textSimilarity()
const { pairs, sha256 } = readProfiles(file)
const people = pairs.flatMap(({ sender, recipient }) => [sender, recipient])
const directions = JSON.parse(readFileSync(fileOf('learned-entries'), 'utf8'))
const zeroWeights = { read: 0, known: 0, fit: 0, bio: 0, photos: 0, shared: 0 }
const zeroRegression = { bias: 0, weights: zeroWeights }
const learned = await load({ interest: zeroRegression, lifestyle: zeroRegression })
const profiles = await collectAll()
await report()
const fitted = {
  date: new Date().toISOString().slice(0, 10),
  data: `sha256 ${sha256}`,
  profiles: people.length,
}
const features = {
  interest: fitRegression('interest', profiles),
  lifestyle: fitRegression('lifestyle', profiles),
}
writeFileSync(fileOf('entry-features'), `${JSON.stringify({ fitted, features }, undefined, 2)}\n`)
await service.close()

function fileOf(name: string) {
  return path.join(PROJECT_FOLDER, 'src', 'preferences', `${name}.json`)
}

async function materialOf({ bio, photos }: Person) {
  const references = photoReferences(photos).map((url) => photoReferenceSchema.parse(url))
  const seen = await seePhotos(context, { references, label: 'photos' }, call)
  return { bio, tags: seen.map((photo) => photo.tags) }
}

function load(own: FeatureWeights) {
  return createLearnedEntries(directions, own, similarity, call)
}

/** Every candidate of every profile, and whether it means the same as a label. */
async function collectAll() {
  const all = []
  for (const person of people) {
    const { bio, tags } = await materialOf(person)
    const terms = await embedProfileTerms({ bio, tags }, similarity, call)
    const photoTags = terms.tags.map(({ text }) => text)
    const tools = { language: context.language, prompts: context.prompts(), call }
    const read = await readBio({ bio, photoTags }, tools)
    const candidates = await collectEntries(
      { bio, tags, terms, read: read.entries },
      { similarity, learned },
      call,
    )
    const texts = [
      ...person.interests,
      ...person.lifestyle,
      ...candidates.map(({ value }) => value),
    ]
    const compare = await createTextComparison(texts, similarity, call)
    const isRight = candidates.map(
      ({ kind, value }) => countMatches([value], person[LABELS[kind]], compare) > 0,
    )
    all.push({ person, candidates, isRight, compare })
  }
  return all
}

/** Fits a logistic regression of the features of a kind. */
function fitRegression(kind: Kind, some: typeof profiles) {
  const rows = some.flatMap(({ candidates, isRight }) =>
    candidates
      .map((candidate, i) => ({ ...candidate, isRight: Number(isRight[i]) }))
      .filter((candidate) => candidate.kind === kind),
  )
  const names = Object.keys(zeroWeights) as (keyof EntryFeatures)[]
  const right = fitSoftmax(
    rows.map(({ features: own }) => names.map((name) => own[name])),
    rows.map((row) => [row.isRight, 1 - row.isRight]),
    RIDGE,
  )[0]!
  // Of two classes, the difference of the logits is twice that of either.
  return {
    bias: round(2 * right.bias, 3),
    weights: Object.fromEntries(
      names.map((name, i) => [name, round(2 * right.weights[i]!, 3)]),
    ) as unknown as EntryFeatures,
  }
}

/** Prints F1, precision and recall of the selected entries in cross-validation. */
async function report() {
  const selected = []
  for (let fold = 0; fold < FOLDS; fold++) {
    // Both sides of a pair stay together.
    const isOwn = (i: number) => Math.floor(i / 2) % FOLDS === fold
    const others = profiles.filter((_, i) => !isOwn(i))
    const foldEntries = await load({
      interest: fitRegression('interest', others),
      lifestyle: fitRegression('lifestyle', others),
    })
    for (const { person, candidates, compare } of profiles.filter((_, i) => isOwn(i))) {
      const evidence = selectEntries(candidates, foldEntries, similarity.standardize)
      selected.push({ person, evidence, compare })
    }
  }
  for (const kind of KINDS) {
    const total = { matched: 0, found: 0, labelled: 0 }
    for (const { person, evidence, compare } of selected) {
      const found = [...new Set(evidence.filter((e) => e.kind === kind).map((e) => e.value))]
      total.matched += countMatches(found, person[LABELS[kind]], compare)
      total.found += found.length
      total.labelled += person[LABELS[kind]].length
    }
    const { matched, found, labelled } = total
    console.log(
      `${kind}: F1 ${((2 * matched) / (found + labelled)).toFixed(3)}, precision ${(matched / found).toFixed(3)}, recall ${(matched / labelled).toFixed(3)}, ${(found / selected.length).toFixed(2)} a profile`,
    )
  }
}

function round(value: number, decimals: number) {
  return Math.round(value * 10 ** decimals) / 10 ** decimals
}
