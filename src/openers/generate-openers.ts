import type { Emit } from '../call-answer.js'
import { endpoint } from '../endpoint.js'
import { describeModelsInUse } from '../inference/models-in-use.js'
import { findInterestsInBio } from '../preferences/bio-interests.js'
import { explainPhotos } from '../preferences/explained-photo.js'
import { seePhotos } from '../preferences/see-photos.js'
import { assertSafeBio } from '../safety/assert-safe.js'
import { assessText } from '../safety/text-safety.js'
import { clip, oneLine } from '../text/one-line.js'
import { contentStems } from '../text/words.js'
import type { OpenerFacts } from './check-opener.js'
import { explainOpeners } from './explain-openers.js'
import {
  openersRequestSchema,
  openersResponseSchema,
  type Opener,
  type OpenersRequest,
} from './openers-contract.js'
import { writeOpeners, type Candidate } from './write-openers.js'
import { syntheticOpeners } from './synthetic-openers.js'

/** Enough for any bio a person writes; more only slows the prompt. */
const PROMPT_BIO_CHARACTERS = 600
const MAX_PHOTO_ELEMENTS = 6
const MAX_LIKES = 10

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
  async handle(context, body, call) {
    assertSafeBio(body.recipient.bio, 'recipient.bio')
    const { inference } = call
    const photos = await seePhotos(
      context,
      { references: body.recipient.photos, label: 'recipient.photos' },
      inference,
    )
    const tags = photos.flatMap((photo) => photo.tags)
    const facts = gatherFacts(body, {
      elements: tags.map((tag) => tag.definition.tag),
      interests: tags.flatMap((tag) => tag.definition.interests),
    })
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

interface SeenInPhotos {
  elements: readonly string[]
  interests: readonly string[]
}

function gatherFacts({ sender, recipient }: OpenersRequest, seen: SeenInPhotos): OpenerFacts {
  const bio = clip(oneLine(recipient.bio), PROMPT_BIO_CHARACTERS)
  const likes = [...new Set([...findInterestsInBio(bio), ...seen.interests])].slice(0, MAX_LIKES)
  const photoElements = [...new Set(seen.elements)].slice(0, MAX_PHOTO_ELEMENTS)
  const { interests = [], lifestyle = [] } = sender.preferences ?? {}
  const senderLikes = [...interests, ...lifestyle]
    .map(oneLine)
    .filter((entry) => assessText(entry, 'generated').safe)
    .slice(0, MAX_LIKES)
  return {
    senderName: oneLine(sender.name),
    bio,
    photoElements,
    likes,
    senderLikes,
    commonGround: findCommonGround(senderLikes, [...likes, ...photoElements, bio]),
  }
}

/** What the sender likes that the recipient's profile names too. */
function findCommonGround(senderLikes: readonly string[], profile: readonly string[]): string[] {
  const known = contentStems(profile.join(' . '))
  return senderLikes.filter((like) => {
    const stems = [...contentStems(like)]
    return stems.length > 0 && stems.every((stem) => known.has(stem))
  })
}
