import type { AppContext } from '../context.js'
import { endpoint } from '../http/endpoint.js'
import type { InferenceCall } from '../inference/call.js'
import { describeModelsInUse } from '../profile/models-in-use.js'
import { withOneRevision } from '../inference/per-revision.js'
import { explainPhotos } from '../profile/explained-photo.js'
import { inferPreferences } from '../preferences/infer-preferences.js'
import { seePhotos } from '../profile/see-photos.js'
import type { User } from '../profile/profile-fields.js'
import { roundTo } from '../text/round-to.js'
import { explainMatch, type ExplainedPerson } from './explain-match.js'
import { matchRequestSchema, matchResponseSchema, type MatchRequest } from './match-contract.js'
import type { JudgedReason } from './match-reason.js'
import { describePeople, listCompared, type PersonFacts } from './person.js'
import { scoreMatch, type MatchScore } from './score-match.js'
import { isShowableEntry } from './showable-entry.js'
import { syntheticMatch } from './synthetic-match.js'

export const evaluateMatchEndpoint = endpoint({
  capability: 'match.evaluate',
  priority: 'match',
  summary: 'Scores the compatibility of two users and says why in one sentence',
  body: matchRequestSchema,
  response: matchResponseSchema,
  missingFieldCodes: { user_a: 'invalid_user', user_b: 'invalid_user' },
  synthesize: syntheticMatch,
  async handle(context, { user_a, user_b }, call) {
    const { inference } = call
    const { people, score } = await withOneRevision(context.vision, () =>
      compare(context, { user_a, user_b }, inference),
    )
    const candidates: JudgedReason[] = []
    const reason = await context.reasonWriter.write(score.chosen, score.confidence, {
      language: context.language,
      prompts: context.prompts(),
      call: inference,
      onCandidate: (candidate) => candidates.push(candidate),
    })
    const answer = {
      request_id: call.requestId,
      confidence: roundTo(score.confidence, 3),
      reason_category: score.chosen.category,
      reason: reason.text,
    }
    if (!call.wantsExplanation) return answer
    const models = describeModelsInUse(context.models)
    const parts = await context.matchJudge.weighParts(givenFacts(people), inference)
    return {
      ...answer,
      explain: explainMatch({ models, people, score, parts, reason, candidates }),
    }
  },
})

interface Comparison {
  people: [ExplainedPerson, ExplainedPerson]
  score: MatchScore
}

async function compare(
  context: AppContext,
  { user_a, user_b }: MatchRequest,
  call: InferenceCall,
): Promise<Comparison> {
  const people = await Promise.all([
    gatherFacts(context, { user: user_a, field: 'user_a' }, call),
    gatherFacts(context, { user: user_b, field: 'user_b' }, call),
  ])
  const similarity = await context.textSimilarity()
  const topics = await context.matchTopics()
  const [[a, b], judgement] = await Promise.all([
    describePeople([people[0].facts, people[1].facts], similarity, call),
    context.matchJudge.judge(givenFacts(people), call),
  ])
  return { people, score: scoreMatch(a, b, judgement, { ...similarity, topics }) }
}

/**
 * What the match model is told. Preferences that were inferred say nothing that bio and photos do not, and where they are wrong
 * they mislead: docs/evaluation.md.
 */
function givenFacts(people: Comparison['people']): [PersonFacts, PersonFacts] {
  const given = ({ facts, isInferred }: ExplainedPerson): PersonFacts =>
    isInferred ? { ...facts, interests: [], lifestyle: [] } : facts
  return [given(people[0]), given(people[1])]
}

async function gatherFacts(
  context: AppContext,
  { user, field }: { user: User; field: string },
  call: InferenceCall,
): Promise<ExplainedPerson> {
  const photos = await seePhotos(
    context,
    { references: user.photos, label: `${field}.photos` },
    call,
  )
  const tags = photos.map((photo) => photo.tags)
  const { interests = [], lifestyle = [] } =
    user.preferences ?? (await inferPreferences(context, { bio: user.bio, tags }, call)).preferences
  const isShowable = (entry: string) => isShowableEntry(entry, context.isSafePhrase)
  const facts = {
    bio: user.bio,
    interests: listCompared(interests, isShowable),
    lifestyle: listCompared(lifestyle, isShowable),
    photoTags: tags.flat().map((tag) => tag.definition.tag),
    photos: photos.map((photo) => photo.embedding),
  }
  return { facts, photos: explainPhotos(photos), isInferred: user.preferences === undefined }
}
