import type { AppContext } from '../context.js'
import { endpoint } from '../endpoint.js'
import type { InferenceCall } from '../inference/call.js'
import { withOneRevision } from '../inference/per-revision.js'
import { inferPreferences } from '../preferences/infer-preferences.js'
import { seePhotos } from '../preferences/see-photos.js'
import type { User } from '../profile-fields.js'
import { assessText } from '../safety/text-safety.js'
import { matchRequestSchema, matchResponseSchema, type MatchRequest } from './match-contract.js'
import { describePeople, type PersonFacts } from './person.js'
import { scoreMatch } from './score-match.js'
import type { Signal } from './signals/signal.js'
import { strongestWithEvidence } from './strongest-signal.js'
import { syntheticMatch } from './synthetic-match.js'

export const evaluateMatchEndpoint = endpoint({
  capability: 'match.evaluate',
  summary: 'Scores the compatibility of two users and says why in one sentence',
  body: matchRequestSchema,
  response: matchResponseSchema,
  missingFieldCodes: { user_a: 'invalid_user', user_b: 'invalid_user' },
  synthesize: syntheticMatch,
  async handle(context, { user_a, user_b }, call) {
    const within: InferenceCall = {
      signal: call.signal,
      deadline: call.deadline,
      priority: 'match',
    }
    const { confidence, signal } = await withOneRevision(context.vision, () =>
      compare(context, { user_a, user_b }, within),
    )
    const tools = { language: context.language, prompts: context.prompts(), call: within }
    const reason = await context.reasonWriter.write(signal, confidence, tools)
    return {
      request_id: call.requestId,
      confidence: Math.round(confidence * 1_000) / 1_000,
      reason_category: signal.category,
      reason,
    }
  },
})

async function compare(
  context: AppContext,
  { user_a, user_b }: MatchRequest,
  call: InferenceCall,
): Promise<{ confidence: number; signal: Signal }> {
  const [factsA, factsB] = await Promise.all([
    gatherFacts(context, { user: user_a, field: 'user_a' }, call),
    gatherFacts(context, { user: user_b, field: 'user_b' }, call),
  ])
  const similarity = await context.textSimilarity()
  const topics = await context.matchTopics()
  const [a, b] = await describePeople([factsA, factsB], similarity, call)
  const tools = { standardize: similarity.standardize, topics }
  const { confidence, signals } = scoreMatch(a, b, tools)
  return { confidence, signal: strongestWithEvidence(signals, a, b) }
}

async function gatherFacts(
  context: AppContext,
  { user, field }: { user: User; field: string },
  call: InferenceCall,
): Promise<PersonFacts> {
  const photos = await seePhotos(
    context,
    { references: user.photos, label: `${field}.photos` },
    call,
  )
  const tags = photos.map((photo) => photo.tags)
  const { interests = [], lifestyle = [] } =
    user.preferences ?? (await inferPreferences(context, { bio: user.bio, tags }, call)).preferences
  return {
    bio: user.bio,
    interests: interests.filter(isShowable),
    lifestyle: lifestyle.filter(isShowable),
    photoTags: tags.flat().map((tag) => tag.definition.tag),
    photos: photos.map((photo) => photo.embedding),
  }
}

/** A reason may quote a preference to both people, so it has to be a plain and safe phrase. */
function isShowable(entry: string): boolean {
  return (
    /^[\p{L}\p{N}][\p{L}\p{M}\p{N} '’&/-]{1,59}$/u.test(entry.trim()) &&
    assessText(entry, 'generated').safe
  )
}
