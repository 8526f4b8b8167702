import { listWords } from '../../text/words.js'
import type { Term } from './bio-terms.js'
import { nameNothing, type Evidence, type PreparedConditions } from './exemplar-conditions.js'
import model from './exemplar-odds.json' with { type: 'json' }
import type { ExemplarGroup } from './exemplar-schema.js'
import frequencies from './profile-frequencies.json' with { type: 'json' }

type Opener = Pick<
  ExemplarGroup['openers'][number],
  'text' | 'style' | 'grade' | 'precision' | 'rating'
>

/** What decides how likely a reader sends an exemplar. */
export type OddsFeatures = LineFeatures & PlaceFeatures

/** What the line itself tells. */
export interface LineFeatures {
  /** Numbers of conditions. */
  bio: number
  photos: number
  likes: number
  shared: number
  /** Natural logarithm of 1 + the number of labelled profiles, of some two thousand, for which the rarest condition on words holds. */
  frequency: number
  /** 1 if the bio is to name a place: local dishes read as a stereotype hung on it. */
  place: number
  /** 1 if a strict reader would rather send another. */
  gradeB: number
  /** For how many of ten people for whom its conditions hold it is true and makes sense. */
  linePrecision: number
  /** 1 if the sender speaks of themself. */
  saysI: number
  /** 1 if it speaks of both. */
  saysWe: number
  /** Natural logarithm of the number of words. */
  words: number
  /** 1 if it is of the style; a confident, direct line has none of them. */
  asks: number
  observes: number
  picksUpPhoto: number
  namesShared: number
}

/** What the profile tells, where the line holds. */
export interface PlaceFeatures {
  /** Natural logarithm of 1 + the number of words of the bio: of many things that it says, a line picks up one. */
  bioWords: number
  /** For how many of ten people whose bio has these words they mean what the line is about, and as their own. */
  termPrecision: number
  /** Number of words that the bio has in common with the condition: a phrase says more than one of its words. */
  termWords: number
  /** Natural logarithm of 1 + the number of words of the sentence. */
  sentenceWords: number
}

/** Where nobody estimated it: the means over the library. */
export const USUAL_PRECISION = { linePrecision: 7.7, termPrecision: 7.2 }

/** Of an exemplar that needs only a bio of a few words, and of one that holds for everybody: readers send 4 % and 0 to 5 %. */
const THIN_ODDS = 0.06
const ALWAYS_ODDS = 0.05

/** The part of the log-odds that a reader would send an exemplar that is the same for all profiles. Sources: docs/decisions/0046, 0048 and 0055. */
export function lineLogOdds(conditions: PreparedConditions, opener: Opener): number {
  if (nameNothing(conditions)) return Math.log(conditions.isThin ? THIN_ODDS : ALWAYS_ODDS)
  const features = extractLineFeatures(conditions, opener)
  return model.bias + weigh(model.weights, features) + (opener.rating ?? 0)
}

/** What the place where an exemplar holds adds to its log-odds. */
export function placeLogOdds(evidence: Evidence): number {
  return weigh(model.weights, extractPlaceFeatures(evidence))
}

export interface OddsModel {
  bias: number
  weights: OddsFeatures
}

/** Natural logarithm of the odds, without a rating. */
export function logOdds({ bias, weights }: OddsModel, features: OddsFeatures): number {
  return bias + weigh(weights, features)
}

function weigh(weights: OddsFeatures, features: Partial<OddsFeatures>): number {
  const names = Object.keys(features) as (keyof OddsFeatures)[]
  return names.reduce((sum, name) => sum + weights[name] * (features[name] ?? 0), 0)
}

/** What labelled profiles have. */
export interface ProfileFrequencies {
  profiles: number
  /** Numbers of profiles by stem of a word of the bio and by key of an interest; what only one has is missing. */
  words: Counts
  interests: Counts
}

type Counts = Readonly<Record<string, number>>

export function extractLineFeatures(
  conditions: PreparedConditions,
  { text, style, grade, precision = USUAL_PRECISION.linePrecision }: Opener,
  profiles: ProfileFrequencies = frequencies,
): LineFeatures {
  const { photos, bio, likes, shared } = conditions
  return {
    bio: bio.length,
    photos: photos.length,
    likes: likes ? 1 : 0,
    shared: shared ? 1 : 0,
    frequency: Math.log1p(countProfiles(conditions, profiles)),
    place: bio.some(({ any }) => areNames(any)) ? 1 : 0,
    gradeB: grade === 'B' ? 1 : 0,
    linePrecision: precision,
    saysI: /\b(?:I|me|my)\b/u.test(text) ? 1 : 0,
    saysWe: /\b(?:us|we|our|let['’]s)\b/iu.test(text) ? 1 : 0,
    words: Math.log(listWords(text).length),
    asks: style === 'open_question' ? 1 : 0,
    observes: style === 'playful_observation' ? 1 : 0,
    picksUpPhoto: style === 'photo_callback' ? 1 : 0,
    namesShared: style === 'shared_interest' ? 1 : 0,
  }
}

export function extractPlaceFeatures({ bioWords, mention, precision }: Evidence): PlaceFeatures {
  return {
    bioWords: Math.log1p(bioWords),
    termPrecision: precision ?? USUAL_PRECISION.termPrecision,
    termWords: mention?.termWords ?? 0,
    sentenceWords: Math.log1p(mention?.sentenceWords ?? 0),
  }
}

/**
 * Labelled profiles for which the rarest condition on words and interests holds, each alternative counted by itself. What photos show is
 * left out: those of labelled profiles are invented.
 */
function countProfiles(
  { bio, likes, shared }: PreparedConditions,
  frequencies: ProfileFrequencies,
): number {
  // A record has a `constructor`, and a bio may, too.
  const countOf = (counts: Counts, name: string) =>
    Object.hasOwn(counts, name) ? counts[name]! : 0
  const sum = (alternatives: readonly string[], counts: Counts) =>
    alternatives.reduce((total, name) => total + countOf(counts, name), 0)
  const rarestOf = (stems: readonly string[]) =>
    Math.min(...stems.map((stem) => countOf(frequencies.words, stem)))
  const ofTerms = (terms: readonly Term[]) =>
    terms.reduce((total, { stems }) => total + rarestOf(stems), 0)
  const counts = [
    ...bio.map(({ any }) => ofTerms(any)),
    ...[likes, shared].flatMap((interests) =>
      interests ? [sum(interests, frequencies.interests)] : [],
    ),
  ]
  return counts.length > 0 ? Math.min(...counts) : 0
}

/** Whether most terms are written as names are; among the conditions on bios those of places alone are. */
function areNames(terms: readonly Term[]): boolean {
  const names = terms.filter(({ text }) => /^\p{Lu}/u.test(text))
  return names.length > terms.length / 2
}
