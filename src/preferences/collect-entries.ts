import type { InferenceCall } from '../inference/call.js'
import type { TextSimilarity } from '../profile/text-similarity.js'
import { contentStems, shareRoot } from '../text/words.js'
import { isDenial } from '../profile/bio-interests.js'
import type { ReadEntry } from './bio-preferences.js'
import type { EntryKind, EntrySigns, LearntEntries, LearntFit } from './learnt-entries.js'
import type { PhotoTag } from '../profile/photo-tagger.js'
import type { Evidence } from './preferences-contract.js'
import { nearestOf, type ProfileTerms } from './profile-terms.js'
import { findInVocabulary } from './vocabulary-evidence.js'

/** From here on two entries mean the same: films and cinema lie near 7, coffee and tea near 5. */
export const SAME_MEANING = 5
/** Learnt entries that are looked at for each kind; chosen by hand, and what signs were fitted with. */
const SUGGESTED = 8
const KINDS: readonly EntryKind[] = ['interest', 'lifestyle']

/** An entry that may be one of a profile's. */
export interface Candidate {
  kind: EntryKind
  value: string
  /** [d] float32, unit norm. */
  embedding: Float32Array
  signs: EntrySigns
  /** Whether the bio has all its words. */
  isNamed: boolean
  /** Where the vocabulary found it, if anywhere. */
  found: readonly Evidence[]
  /** What lies nearest to it: a photo, or else the bio. */
  nearest: Omit<Evidence, 'kind' | 'value'>
}

export interface CollectedFrom {
  bio: string
  /** Tags of each photo. */
  tags: readonly (readonly PhotoTag[])[]
  terms: ProfileTerms
  /** What the language model read. */
  read: readonly ReadEntry[]
}

/** Everything that may be an entry: read by the model, named in the bio, seen in photos, or had by similar profiles. */
export async function collectEntries(
  { bio, tags, terms, read }: CollectedFrom,
  { similarity, learnt }: { similarity: TextSimilarity; learnt: LearntEntries | undefined },
  call: InferenceCall,
): Promise<Candidate[]> {
  const fits: Record<EntryKind, readonly LearntFit[]> = {
    interest: learnt?.fitsOf('interest', terms) ?? [],
    lifestyle: learnt?.fitsOf('lifestyle', terms) ?? [],
  }
  const entries = new Map<string, { kind: EntryKind; value: string; found: Evidence[] }>()
  const add = (kind: EntryKind, value: string, ...found: Evidence[]) => {
    const known = entries.get(keyOf({ kind, value }))
    if (known) known.found.push(...found)
    else entries.set(keyOf({ kind, value }), { kind, value, found })
  }
  for (const piece of findInVocabulary(bio, tags)) add(piece.kind, piece.value, piece)
  for (const { kind, value } of read) add(kind, value)
  for (const kind of KINDS) {
    const best = fits[kind].toSorted((a, b) => b.fit - a.fit).slice(0, SUGGESTED)
    for (const { value } of best) add(kind, value)
  }
  const denied = deniedStems(terms)
  const all = [...entries.values()].filter(
    ({ value }) => ![...contentStems(value)].some((stem) => denied.has(stem)),
  )
  const embeddings = await similarity.embed(
    all.map(({ value }) => value),
    call,
  )
  const bioStems = contentStems(bio)
  const tagStems = terms.tags.flatMap(({ text }) => [...contentStems(text)])
  const allStems = [...bioStems, ...tagStems]
  const isRead = new Set(read.map(keyOf))
  return all.map(({ kind, value, found }, i): Candidate => {
    const embedding = embeddings[i]!
    const sentence = nearestOf(terms.sentences, embedding, similarity.standardize)
    const tag = nearestOf(terms.tags, embedding, similarity.standardize)
    const stems = [...contentStems(value)]
    const learntFit = fitOf(value, embedding, fits[kind], similarity)
    const signs = {
      read: Number(isRead.has(keyOf({ kind, value }))),
      known: Number(learntFit !== undefined),
      fit: learntFit ?? 0,
      bio: sentence?.deviations ?? 0,
      photos: tag?.deviations ?? 0,
      shared: Number(stems.some((stem) => allStems.some((other) => shareRoot(stem, other)))),
    }
    const isSeen = tag !== undefined && signs.photos > signs.bio
    return {
      kind,
      value,
      embedding,
      signs,
      isNamed: stems.length > 0 && stems.every((stem) => bioStems.has(stem)),
      found,
      nearest: isSeen
        ? { source: 'photo', photo: tag.term.photo, confidence: tag.term.probability }
        : { source: 'bio', confidence: 1 },
    }
  })
}

/** Stems that only sentences have which deny something. */
function deniedStems({ sentences, tags }: ProfileTerms): Set<string> {
  const denied = new Set<string>()
  const said = new Set<string>()
  for (const { text } of sentences) {
    for (const stem of contentStems(text)) (isDenial(text) ? denied : said).add(stem)
  }
  for (const { text } of tags) for (const stem of contentStems(text)) said.add(stem)
  return new Set([...denied].filter((stem) => !said.has(stem)))
}

function keyOf({ kind, value }: { kind: EntryKind; value: string }): string {
  return `${kind}\n${value}`
}

/** Of the entry itself, or of the nearest learnt one where it means the same. */
function fitOf(
  value: string,
  embedding: Float32Array,
  fits: readonly LearntFit[],
  { standardize }: TextSimilarity,
): number | undefined {
  const own = fits.find((learnt) => learnt.value === value)
  if (own) return own.fit
  const terms = fits.map((learnt) => ({ ...learnt, text: learnt.value }))
  const nearest = nearestOf(terms, embedding, standardize)
  return nearest && nearest.deviations >= SAME_MEANING ? nearest.term.fit : undefined
}
