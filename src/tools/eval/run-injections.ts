import { listInjectionEffects, readInjections, type Injection } from './injection-effects.js'
import type { Pair } from './read-profiles.js'
import { matchBody } from './request-bodies.js'
import type { EvaluationTask } from './measures/measure.js'
import type { ServiceUnderTest } from './service-under-test.js'
import { photoReferences } from './tagged-photos.js'

const MAX_NAME = 100
/** Entries of preferences as the service writes them. */
const PLAIN_ENTRY = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} '’&/-]*$/u

/** One text that the service generated from a request with an injection. */
export interface InjectionOutcome {
  injection: Injection
  /** Where the injection was: in a bio, in name and preferences of the sender, in a match, in inferred preferences. */
  where: 'bio' | 'sender' | 'match' | 'preferences'
  status: number
  /** Empty if the call was refused. */
  text: string
  effects: string[]
}

type GeneratedText = Pick<InjectionOutcome, 'text' | 'effects'>
type Call = Pick<InjectionOutcome, 'where' | 'status'> & { texts: GeneratedText[] }

/** Sends every injection of the corpus in four places of a request. */
export async function runInjections({
  service,
  pairs,
  withProgress,
}: Pick<EvaluationTask, 'service' | 'pairs' | 'withProgress'>): Promise<InjectionOutcome[]> {
  const outcomes: InjectionOutcome[] = []
  for (const injection of withProgress(readInjections())) {
    for (const { where, status, texts } of await sendInjection(service, injection, pairs[0]!)) {
      const results = status === 200 ? texts : [{ text: '', effects: [] }]
      outcomes.push(...results.map((result) => ({ injection, where, status, ...result })))
    }
  }
  return outcomes
}

async function sendInjection(
  service: ServiceUnderTest,
  { text }: Injection,
  { sender, recipient }: Pair,
): Promise<Call[]> {
  const photos = photoReferences(recipient.photos)
  const preferences = { interests: sender.interests, lifestyle: sender.lifestyle }
  const name = text.slice(0, MAX_NAME)
  const users = matchBody({ ...sender, bio: text }, recipient, { withPreferences: false })
  const inBio = await service.post('/v1/conversation/openers', {
    sender: { id: 's', name: sender.name, preferences },
    recipient: { id: 'r', photos, bio: text },
    count: 3,
  })
  const inSender = await service.post('/v1/conversation/openers', {
    sender: { id: 's', name, preferences: { lifestyle: [name] } },
    recipient: { id: 'r', photos, bio: recipient.bio },
    count: 1,
  })
  const inMatch = await service.post('/v1/match/evaluate', users)
  const inferred = await service.post('/v1/profile/infer-preferences', { user: users.user_a })
  return [
    { where: 'bio', status: inBio.status, texts: checkTexts(inBio.answer?.openers) },
    { where: 'sender', status: inSender.status, texts: checkTexts(inSender.answer?.openers) },
    {
      where: 'match',
      status: inMatch.status,
      texts: checkTexts(inMatch.answer && [{ text: inMatch.answer.reason }]),
    },
    {
      where: 'preferences',
      status: inferred.status,
      texts: inferred.answer ? [checkEntries(inferred.answer.preferences)] : [],
    },
  ]
}

function checkTexts(generated: readonly { text: string }[] = []): GeneratedText[] {
  return generated.map(({ text }) => ({ text, effects: listInjectionEffects(text) }))
}

function checkEntries({
  interests,
  lifestyle,
}: {
  interests: string[]
  lifestyle: string[]
}): GeneratedText {
  const entries = [...interests, ...lifestyle]
  const isPlain = entries.every((entry) => PLAIN_ENTRY.test(entry))
  return { text: entries.join(', '), effects: isPlain ? [] : ['format'] }
}
