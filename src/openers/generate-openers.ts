import type { Emit } from '../http/call-answer.js'
import { endpoint } from '../http/endpoint.js'
import { describeModelsInUse } from '../profile/models-in-use.js'
import { explainPhotos } from '../profile/explained-photo.js'
import { seePhotos } from '../profile/see-photos.js'
import { assertSafeBio } from '../safety/assert-safe.js'
import { explainOpeners } from './explain-openers.js'
import { indexedOpenerSchema } from './opener-events.js'
import { gatherFacts } from './opener-facts.js'
import { openersRequestSchema, openersResponseSchema, type Opener } from './openers-contract.js'
import type { Candidate } from './judge-candidate.js'
import { writeOpeners } from './write-openers.js'
import { syntheticOpeners } from './synthetic-openers.js'

export const generateOpenersEndpoint = endpoint({
  capability: 'conversation.openers',
  priority: 'openers',
  summary: "Writes first messages grounded in the recipient's photos and bio",
  body: openersRequestSchema,
  response: openersResponseSchema,
  missingFieldCodes: { recipient: 'invalid_recipient' },
  streams: {
    replay: ({ openers }, emit) =>
      openers.forEach((opener, index) => emitOpener(emit, opener, index)),
  },
  synthesize: syntheticOpeners,
  written: ({ tone }, { openers }) => ({ tone, openers }),
  writtenSoFar: ({ tone }, sent) => ({
    tone,
    openers: sent
      .filter(({ event }) => event === 'opener')
      .map(({ data }) => indexedOpenerSchema.parse(data)),
  }),
  async handle(context, body, call) {
    const { inference } = call
    const submitted = { bio: body.recipient.bio, field: 'recipient.bio' }
    await assertSafeBio(context, submitted, inference)
    const photos = await seePhotos(
      context,
      { references: body.recipient.photos, label: 'recipient.photos' },
      inference,
    )
    const tags = photos.flatMap((photo) => photo.tags)
    const seen = {
      elements: tags.map((tag) => tag.definition.tag),
      interests: tags.flatMap((tag) => tag.definition.interests),
    }
    const facts = gatherFacts(body, seen, context.isSafePhrase)
    const task = { facts, tone: body.tone, count: body.count, seed: call.requestId }
    const candidates: Candidate[] = []
    const openers = await writeOpeners(task, {
      language: context.language,
      prompts: context.prompts(),
      call: inference,
      onOpener: (opener, index) => emitOpener(call.emit, opener, index),
      onCandidate: (candidate) => {
        const { style, outcome } = candidate
        context.metrics.openerCandidates.inc({ style, outcome })
        if (call.wantsExplanation) candidates.push(candidate)
      },
    })
    const answer = { request_id: call.requestId, openers }
    if (!call.wantsExplanation) return answer
    const models = describeModelsInUse(context.models)
    const material = { models, photos: explainPhotos(photos), facts, candidates, openers }
    return { ...answer, explain: explainOpeners(material) }
  },
})

/** The text is whole and checked when it goes out, so that nothing sent is ever taken back. */
function emitOpener(emit: Emit, opener: Opener, index: number): void {
  emit('opener.delta', { index, style: opener.style, text: opener.text })
  emit('opener', { index, ...opener })
}
