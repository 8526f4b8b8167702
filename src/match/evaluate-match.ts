import type { InferenceCall } from '../inference/inference-call.js'
import type { VisionModel } from '../inference/encoder/vision.js'
import type { Models } from '../inference/open-models.js'
import { describeModelsInUse } from '../profile/models-in-use.js'
import { withoutWait } from '../inference/language-without-wait.js'
import { retryOnRevisionChange } from '../inference/once-per-revision.js'
import { explainPhotos } from '../profile/explain-photos.js'
import {
  inferPreferences,
  type InferenceMaterial,
  type InferenceParts,
} from '../preferences/infer-preferences.js'
import type { Call } from '../profile/call-context.js'
import type { LoadedPhotos } from '../photos/load-photos.js'
import { seePhotos, type PhotoParts } from '../profile/see-photos.js'
import type { Preferences, User } from '../profile/profile-fields.js'
import type { PhraseSafety } from '../safety/phrase-safety.js'
import { roundTo } from '../text/round-to.js'
import { explainMatch, type ExplainedPerson } from './explain-match.js'
import type { PairScorer } from './pair-scorer.js'
import {
  matchRequestSchema,
  matchResponseSchema,
  type MatchRequest,
  type MatchResponse,
} from './match-contract.js'
import type { ReasonCandidate, ReasonWriter } from './match-reason.js'
import { embedPeople, normalizeEntries, type PersonFacts } from './person.js'
import { scoreMatch, type MatchScore } from './score-match.js'
import { isShowableEntry } from './showable-entry.js'
import { syntheticMatch } from './synthetic-match.js'
import type { TopicCloseness } from './topics.js'

/** Parts that answer the call. Preferences missing from the request are inferred. */
export interface MatchParts extends InferenceParts, PhotoParts {
  vision: VisionModel
  models: Models
  matchTopics: () => Promise<TopicCloseness>
  pairScorer: PairScorer
  reasonWriter: ReasonWriter
  isSafePhrase: PhraseSafety
}

export const evaluateMatchCall = {
  capability: 'match.evaluate',
  priority: 'match',
  summary: 'Scores the compatibility of two users and says why in one sentence',
  body: matchRequestSchema,
  response: matchResponseSchema,
  missingFieldCodes: { user_a: 'invalid_user', user_b: 'invalid_user' },
  photosIn: ({ user_a, user_b }: MatchRequest) => ({
    [photosOf('user_a')]: user_a.photos,
    [photosOf('user_b')]: user_b.photos,
  }),
  synthesize: syntheticMatch,
  handle: evaluateMatch,
} as const

type UserField = 'user_a' | 'user_b'

function photosOf(field: UserField): string {
  return `${field}.photos`
}

async function evaluateMatch(
  allParts: MatchParts,
  users: MatchRequest,
  { requestId, wantsExplanation, inference, photos }: Call,
): Promise<MatchResponse> {
  const parts = { ...allParts, language: withoutWait(allParts.language, allParts.models) }
  const { people, score } = await retryOnRevisionChange(parts.vision, () =>
    compare(parts, { users, photos }, inference),
  )
  const candidates: ReasonCandidate[] = []
  const reason = await parts.reasonWriter.write(score.chosen, score.confidence, {
    people: [people[0].facts, people[1].facts],
    language: parts.language,
    prompts: parts.prompts,
    call: inference,
    onCandidate: (candidate) => candidates.push(candidate),
  })
  const answer = {
    request_id: requestId,
    confidence: roundTo(score.confidence, 3),
    reason_category: score.chosen.category,
    reason: reason.text,
  }
  if (!wantsExplanation) return answer
  const models = describeModelsInUse(parts.models)
  const contributions = await parts.pairScorer.measureContributions(givenFacts(people), inference)
  return {
    ...answer,
    explain: explainMatch({ models, people, score, parts: contributions, reason, candidates }),
  }
}

interface Comparison {
  people: [ExplainedPerson, ExplainedPerson]
  score: MatchScore
}

async function compare(
  parts: MatchParts,
  { users: { user_a, user_b }, photos }: { users: MatchRequest; photos: LoadedPhotos },
  call: InferenceCall,
): Promise<Comparison> {
  const people = await Promise.all([
    gatherFacts(parts, { user: user_a, field: 'user_a', photos }, call),
    gatherFacts(parts, { user: user_b, field: 'user_b', photos }, call),
  ])
  const similarity = await parts.textSimilarity()
  const topics = await parts.matchTopics()
  const [[a, b], pairScores] = await Promise.all([
    embedPeople([people[0].facts, people[1].facts], similarity, call),
    parts.pairScorer.score(givenFacts(people), call),
  ])
  return { people, score: scoreMatch(a, b, pairScores, { ...similarity, topics }) }
}

/**
 * The facts that the match model reads, without inferred preferences: they add nothing to bio and photos, and mislead if
 * they are wrong (docs/evaluation.md).
 */
function givenFacts(people: Comparison['people']): [PersonFacts, PersonFacts] {
  const given = ({ facts, isInferred }: ExplainedPerson): PersonFacts =>
    isInferred ? { ...facts, interests: [], lifestyle: [] } : facts
  return [given(people[0]), given(people[1])]
}

/**
 * Preferences for the evidence of the score, without those that only the language model reads in a bio while it is unavailable: the
 * match model reads the bio itself, so a match can do without.
 */
async function inferOrOmit(
  parts: MatchParts,
  material: InferenceMaterial,
  call: InferenceCall,
): Promise<Preferences> {
  const { preferences } = await inferPreferences(parts, { ...material, bioMayBeUnread: true }, call)
  return preferences
}

async function gatherFacts(
  parts: MatchParts,
  { user, field, photos: loaded }: { user: User; field: UserField; photos: LoadedPhotos },
  call: InferenceCall,
): Promise<ExplainedPerson> {
  const photos = await seePhotos(parts, { photos: loaded, field: photosOf(field) }, call)
  const tags = photos.map((photo) => photo.tags)
  const { interests = [], lifestyle = [] } =
    user.preferences ?? (await inferOrOmit(parts, { bio: user.bio, tags }, call))
  const isShowable = (entry: string) => isShowableEntry(entry, parts.isSafePhrase)
  const facts = {
    bio: user.bio,
    interests: normalizeEntries(interests, isShowable),
    lifestyle: normalizeEntries(lifestyle, isShowable),
    photoTags: tags.flat().map((tag) => tag.definition.tag),
    photos: photos.map((photo) => photo.embedding),
  }
  return { facts, photos: explainPhotos(photos), isInferred: user.preferences === undefined }
}
