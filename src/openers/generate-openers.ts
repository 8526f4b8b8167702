import type { VisionModel } from '../inference/encoder/vision.js'
import type { LanguageModel } from '../inference/language/language.js'
import type { Prompts } from '../inference/language/prompts.js'
import type { Models } from '../inference/open-models.js'
import { retryOnRevisionChange } from '../inference/once-per-revision.js'
import type { Emit } from '../profile/call-context.js'
import { describeModelsInUse } from '../profile/models-in-use.js'
import { explainPhotos } from '../profile/explain-photos.js'
import { seePhotos, type PhotoParts } from '../profile/see-photos.js'
import { nameElements } from '../profile/tag-vocabulary.js'
import { assertSafeBio } from '../safety/assert-safe.js'
import type { BioSafety } from '../safety/bio-safety.js'
import type { PhraseSafety } from '../safety/phrase-safety.js'
import type { Metrics } from '../telemetry/metrics.js'
import type { Exemplars } from './exemplars/exemplar-source.js'
import { explainOpeners } from './explain-openers.js'
import { indexedOpenerSchema } from './opener-events.js'
import { gatherFacts, type OpenerFacts } from './opener-facts.js'
import type { OpenerPolicy, PolicyChoice } from './opener-policy.js'
import type { OpenerTraits } from './opener-traits.js'
import type { OpenersCall } from './openers-call.js'
import {
  openersRequestSchema,
  openersResponseSchema,
  type Opener,
  type OpenersRequest,
  type OpenersResponse,
} from './openers-contract.js'
import type { Candidate } from './assess-candidate.js'
import { listPossibleStyles, type Tone } from './styles.js'
import { syntheticOpeners } from './synthetic-openers.js'
import { writeOpeners } from './write-openers.js'

/** Parts that answer the call. */
export interface OpenersParts extends PhotoParts {
  vision: VisionModel
  language: LanguageModel
  prompts: () => Prompts
  openerPolicy: OpenerPolicy
  exemplars: Exemplars
  models: Models
  bioSafety: BioSafety
  isSafePhrase: PhraseSafety
  metrics: Metrics
}

const PHOTOS = 'recipient.photos'

export const generateOpenersCall = {
  capability: 'conversation.openers',
  priority: 'openers',
  summary: "Writes first messages grounded in the recipient's photos and bio",
  body: openersRequestSchema,
  response: openersResponseSchema,
  missingFieldCodes: { recipient: 'invalid_recipient' },
  photosIn: ({ recipient }: OpenersRequest) => ({ [PHOTOS]: recipient.photos }),
  streams: { replay: replayOpeners },
  synthesize: syntheticOpeners,
  openersIn: ({ tone }: OpenersRequest, { openers }: OpenersResponse) => ({ tone, openers }),
  openersSent: ({ tone }: OpenersRequest, sent: readonly { event: string; data: unknown }[]) => ({
    tone,
    openers: sent
      .filter(({ event }) => event === 'opener')
      .map(({ data }) => indexedOpenerSchema.parse(data)),
  }),
  handle: generateOpeners,
} as const

async function generateOpeners(
  parts: OpenersParts,
  body: OpenersRequest,
  call: OpenersCall,
): Promise<OpenersResponse> {
  const { requestId, wantsExplanation, inference, photos: loaded, emit } = call
  const { bio } = body.recipient
  await assertSafeBio(parts, { bio, field: 'recipient.bio' }, inference)
  const photos = await retryOnRevisionChange(parts.vision, () =>
    seePhotos(parts, { photos: loaded, field: PHOTOS }, inference),
  )
  const tags = photos.flatMap((photo) => photo.tags)
  const seen = {
    elements: nameElements(tags.map((tag) => tag.definition.tag)),
    interests: tags.flatMap((tag) => tag.definition.interests),
  }
  const facts = gatherFacts(body, seen, parts.isSafePhrase)
  const choice = await chooseStyles(parts, { facts, tone: body.tone }, call)
  const material = { facts, tone: body.tone, seed: requestId }
  const exemplars = parts.exemplars.forCall({ ...material, tenant: inference.tenant.id })
  const task = { ...material, count: body.count, choice }
  const candidates: Candidate[] = []
  const traits: OpenerTraits[] = []
  const openers = await writeOpeners(task, {
    language: parts.language,
    prompts: parts.prompts(),
    exemplars,
    call: inference,
    onOpener: (released) => {
      traits.push(released.traits)
      if (choice.selection) call.onChosen({ selection: choice.selection, traits: [...traits] })
      emitOpener(emit, released.opener, released.index)
    },
    onCandidate: (candidate) => {
      const { style, outcome } = candidate
      parts.metrics.openerCandidates.inc({ style, outcome })
      if (wantsExplanation) candidates.push(candidate)
    },
  })
  const answer = { request_id: requestId, openers }
  if (!wantsExplanation) return answer
  const models = describeModelsInUse(parts.models)
  const input = { models, photos: explainPhotos(photos), facts, choice, candidates, openers }
  return { ...answer, explain: explainOpeners(input) }
}

function chooseStyles(
  { openerPolicy }: Pick<OpenersParts, 'openerPolicy'>,
  { facts, tone }: { facts: OpenerFacts; tone: Tone },
  { caller: { organizationId, environment }, requestId, subject }: OpenersCall,
): Promise<PolicyChoice> {
  const styles = listPossibleStyles(tone, {
    hasPhotoElements: facts.photoElements.length > 0,
    hasCommonGround: facts.commonGround.length > 0,
  })
  return openerPolicy.choose({ organizationId, environment, requestId, subject, tone, styles })
}

function replayOpeners({ openers }: OpenersResponse, emit: Emit): void {
  openers.forEach((opener, index) => emitOpener(emit, opener, index))
}

/** Emits an opener whole and checked: text that a client has received is never withdrawn. */
function emitOpener(emit: Emit, opener: Opener, index: number): void {
  emit('opener.delta', { index, style: opener.style, text: opener.text })
  emit('opener', { index, ...opener })
}
