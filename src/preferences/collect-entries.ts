import type { InferenceCall } from '../inference/inference-call.js'
import { splitDenied } from '../profile/bio-interests.js'
import type { PhotoTag } from '../profile/photo-tagger.js'
import type { TextSimilarity } from '../profile/text-similarity.js'
import { contentStems, haveSameRoot } from '../text/words.js'
import type { ReadEntry } from './bio-preferences.js'
import type { EntryFeatures, EntryKind, LearnedEntries, LearnedFit } from './learned-entries.js'
import type { Evidence } from './preferences-contract.js'
import { findNearest, type ProfileTerms } from './profile-terms.js'
import { findInVocabulary } from './vocabulary-evidence.js'

/** Deviations from which two entries mean the same: films and cinema lie near 7, coffee and tea near 5. */
export const SAME_MEANING = 5
/** Learned entries that become candidates, for each kind. Chosen by hand; the feature weights were fitted with it. */
const MAX_SUGGESTIONS = 8
const KINDS: readonly EntryKind[] = ['interest', 'lifestyle']

/** An entry that may belong in a profile's preferences. */
export interface Candidate {
  kind: EntryKind
  value: string
  /** [d] float32, unit norm. */
  embedding: Float32Array
  features: EntryFeatures
  /** Whether the bio has all its words. */
  isNamed: boolean
  /** Evidence from the vocabulary. */
  found: readonly Evidence[]
  /** Where the nearest term of the profile is: in a photo, or else in the bio. */
  nearest: Omit<Evidence, 'kind' | 'value'>
}

export interface EntrySources {
  bio: string
  /** Tags of each photo. */
  tags: readonly (readonly PhotoTag[])[]
  terms: ProfileTerms
  /** Entries that the language model read in the bio. */
  read: readonly ReadEntry[]
}

type Fits = Record<EntryKind, readonly LearnedFit[]>

/**
 * Every entry that the vocabulary, the language model or the learned entries suggest, with its features. Leaves out what
 * the bio denies.
 */
export async function collectEntries(
  sources: EntrySources,
  { similarity, learned }: { similarity: TextSimilarity; learned: LearnedEntries | undefined },
  call: InferenceCall,
): Promise<Candidate[]> {
  const { bio, terms } = sources
  const fits: Fits = {
    interest: learned?.measureFits('interest', terms) ?? [],
    lifestyle: learned?.measureFits('lifestyle', terms) ?? [],
  }
  const denied = listDeniedStems(terms)
  const entries = mergeSources(sources, fits).filter(
    ({ value }) => ![...contentStems(value)].some((stem) => denied.has(stem)),
  )
  const embeddings = await similarity.embed(
    entries.map(({ value }) => value),
    call,
  )
  const bioStems = contentStems(bio)
  const tagStems = terms.tags.flatMap(({ text }) => [...contentStems(text)])
  const profile: Profile = { terms, fits, bioStems, stems: [...bioStems, ...tagStems] }
  return entries.map((entry, i) => toCandidate(entry, embeddings[i]!, profile, similarity))
}

interface SuggestedEntry {
  kind: EntryKind
  value: string
  isRead: boolean
  found: Evidence[]
}

/** Entries of all sources, each once, in the order in which they first appear. */
function mergeSources({ bio, tags, read }: EntrySources, fits: Fits): SuggestedEntry[] {
  const entries = new Map<string, SuggestedEntry>()
  const getOrAdd = (kind: EntryKind, value: string): SuggestedEntry => {
    const key = keyOf(kind, value)
    const entry = entries.get(key) ?? { kind, value, isRead: false, found: [] }
    entries.set(key, entry)
    return entry
  }
  for (const evidence of findInVocabulary(bio, tags)) {
    getOrAdd(evidence.kind, evidence.value).found.push(evidence)
  }
  for (const { kind, value } of read) getOrAdd(kind, value).isRead = true
  for (const kind of KINDS) {
    const best = fits[kind].toSorted((a, b) => b.fit - a.fit).slice(0, MAX_SUGGESTIONS)
    for (const { value } of best) getOrAdd(kind, value)
  }
  return [...entries.values()]
}

/** Unambiguous, because no kind contains a space. */
function keyOf(kind: EntryKind, value: string): string {
  return `${kind} ${value}`
}

interface Profile {
  terms: ProfileTerms
  fits: Fits
  bioStems: ReadonlySet<string>
  /** Stems of the bio and the tags. */
  stems: readonly string[]
}

function toCandidate(
  { kind, value, isRead, found }: SuggestedEntry,
  embedding: Float32Array,
  profile: Profile,
  { standardize }: TextSimilarity,
): Candidate {
  const sentence = findNearest(profile.terms.sentences, embedding, standardize)
  const tag = findNearest(profile.terms.tags, embedding, standardize)
  const stems = [...contentStems(value)]
  const fit = fitOf(value, embedding, profile.fits[kind], standardize)
  const features = {
    read: Number(isRead),
    known: Number(fit !== undefined),
    fit: fit ?? 0,
    bio: sentence?.deviations ?? 0,
    photos: tag?.deviations ?? 0,
    shared: Number(stems.some((stem) => profile.stems.some((other) => haveSameRoot(stem, other)))),
  }
  return {
    kind,
    value,
    embedding,
    features,
    isNamed: stems.length > 0 && stems.every((stem) => profile.bioStems.has(stem)),
    found,
    nearest:
      tag && features.photos > features.bio
        ? { source: 'photo', photo: tag.term.photo, confidence: tag.term.probability }
        : { source: 'bio', confidence: 1 },
  }
}

/** Stems of what the bio denies and neither affirms nor a photo shows. */
function listDeniedStems({ sentences, tags }: ProfileTerms): Set<string> {
  const denied = new Set<string>()
  const affirmed = new Set(tags.flatMap(({ text }) => [...contentStems(text)]))
  for (const { text } of sentences) {
    const split = splitDenied(text)
    for (const stem of contentStems(split.denied)) denied.add(stem)
    for (const stem of contentStems(split.affirmed)) affirmed.add(stem)
  }
  return new Set([...denied].filter((stem) => !affirmed.has(stem)))
}

/** The fit of the entry itself, or else of the nearest learned entry if it means the same. */
function fitOf(
  value: string,
  embedding: Float32Array,
  fits: readonly LearnedFit[],
  standardize: TextSimilarity['standardize'],
): number | undefined {
  const own = fits.find((learned) => learned.value === value)
  if (own) return own.fit
  const terms = fits.map((learned) => ({ ...learned, text: learned.value }))
  const nearest = findNearest(terms, embedding, standardize)
  return nearest && nearest.deviations >= SAME_MEANING ? nearest.term.fit : undefined
}
