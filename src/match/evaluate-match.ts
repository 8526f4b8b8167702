import type { AppContext } from '../context.js'
import { endpoint } from '../endpoint.js'
import type { InferenceCall } from '../inference/call.js'
import { inferPreferences } from '../preferences/infer-preferences.js'
import type { User } from '../profile-fields.js'
import { assertSafePhotos } from '../safety/assert-safe.js'
import { assessText } from '../safety/text-safety.js'
import { matchRequestSchema, matchResponseSchema } from './match-contract.js'
import { describePeople, type PersonFacts } from './person.js'
import { scoreMatch } from './score-match.js'
import { strongestWithEvidence } from './strongest-signal.js'

export const evaluateMatchEndpoint = endpoint({
  capability: 'match.evaluate',
  summary: 'Scores the compatibility of two users and says why in one sentence',
  body: matchRequestSchema,
  response: matchResponseSchema,
  missingFieldCodes: { user_a: 'invalid_user', user_b: 'invalid_user' },
  async handle(context, { user_a, user_b }, call) {
    const within: InferenceCall = {
      signal: call.signal,
      deadline: call.deadline,
      priority: 'match',
    }
    const [a, b] = await Promise.all([
      gatherFacts(context, { user: user_a, field: 'user_a' }, within),
      gatherFacts(context, { user: user_b, field: 'user_b' }, within),
    ])
    const [similarity, topics, prompts] = await Promise.all([
      context.textSimilarity(),
      context.matchTopics(),
      context.prompts(),
    ])
    const [personA, personB] = await describePeople([a, b], similarity, within)
    const { confidence, signals } = scoreMatch(personA!, personB!, {
      standardize: similarity.standardize,
      topics,
    })
    const signal = strongestWithEvidence(signals, personA!, personB!)
    const tools = { language: context.language, prompts, call: within }
    const reason = await context.reasonWriter.write(signal, confidence, tools)
    return {
      request_id: call.requestId,
      confidence: Math.round(confidence * 1_000) / 1_000,
      reason_category: signal.category,
      reason,
    }
  },
})

async function gatherFacts(
  context: AppContext,
  { user, field }: { user: User; field: string },
  call: InferenceCall,
): Promise<PersonFacts> {
  const label = `${field}.photos`
  const photos = await context.photos.analyze(user.photos, label, call)
  assertSafePhotos(photos, label, context.config.photos.nsfwThreshold)
  const tagger = await context.photoTagger()
  const tags = photos.map((photo) => tagger.tag(photo.embedding))
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
  return /^[\p{L}\p{N}][\p{L}\p{M}\p{N} '’&/-]{1,59}$/u.test(entry.trim()) && assessText(entry).safe
}
