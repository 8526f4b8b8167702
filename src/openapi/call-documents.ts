import type { EventRecord } from '../events/events-contract.js'
import type { MatchResponse } from '../match/match-contract.js'
import type { OpenersResponse } from '../openers/openers-contract.js'
import type { Capability } from '../organizations/capability.js'
import type { InferPreferencesResponse } from '../preferences/preferences-contract.js'

/** Documentation of a call beyond what its definition declares. */
export interface CallDocument {
  operationId: string
  /** Schema names of body and answer. */
  requestName: string
  responseName: string
  description: string
  requestExample: unknown
  responseExample: unknown
}

/** Request id of the examples. */
export const REQUEST_ID = 'req_5f2b8c1d9e3a47061b8d2c4f'

const MAYA = {
  id: 'user-maya',
  photos: ['https://photos.example/maya/climbing.jpg', 'https://photos.example/maya/cat.jpg'],
  bio: 'Weekend climber, weekday data analyst. My cat supervises every video call.',
}

const SAM = {
  id: 'user-sam',
  photos: ['https://photos.example/sam/coffee.jpg'],
  bio: 'Early riser who roasts his own coffee. Learning to boulder, badly.',
  preferences: { interests: ['coffee', 'bouldering'], lifestyle: ['early riser'] },
}

const PREFERENCES: InferPreferencesResponse = {
  request_id: REQUEST_ID,
  preferences: { interests: ['climbing', 'cats'], lifestyle: ['active'] },
  evidence: [
    { kind: 'interest', value: 'climbing', source: 'photo', photo: 0, confidence: 0.91 },
    { kind: 'interest', value: 'cats', source: 'bio', confidence: 0.8 },
    { kind: 'lifestyle', value: 'active', source: 'photo', photo: 0, confidence: 0.74 },
  ],
}

const MATCH: MatchResponse = {
  request_id: REQUEST_ID,
  confidence: 0.82,
  reason_category: 'shared_hobbies',
  reason: 'You both spend your weekends on a climbing wall.',
}

/** Also the answer that the example of a stream sends event by event. */
export const OPENERS_EXAMPLE: OpenersResponse = {
  request_id: REQUEST_ID,
  openers: [
    {
      text: 'Your cat looks like the strictest manager on that video call.',
      style: 'playful_observation',
      length: 61,
    },
    { text: 'Which climb are you proudest of?', style: 'open_question', length: 32 },
  ],
}

const EVENTS: EventRecord[] = [
  {
    ts: '2026-07-15T12:00:00Z',
    end_user_id: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    event: 'opener_sent',
    idempotency_key: '3b241101-e2bb-4255-8caf-4136c566a962',
    context: { originating_request_id: REQUEST_ID, opener_index: 1 },
  },
]

/** One entry for each call; a capability without one does not compile. */
export const CALL_DOCUMENTS: Record<Capability, CallDocument> = {
  'profile.infer_preferences': {
    operationId: 'inferPreferences',
    requestName: 'InferPreferencesRequest',
    responseName: 'InferPreferencesResponse',
    description:
      'Builds a preference model from what the photos show and the bio says, with the evidence for each entry. Pass `preferences` on to match evaluation and to the opener call unchanged.',
    requestExample: { user: MAYA },
    responseExample: PREFERENCES,
  },
  'match.evaluate': {
    operationId: 'evaluateMatch',
    requestName: 'MatchRequest',
    responseName: 'MatchResponse',
    description:
      'A confidence of 0.7 or more is a high-quality match. The reason is safe to show to both users. Passing preferences improves the match and roughly halves its time.',
    requestExample: { user_a: SAM, user_b: MAYA },
    responseExample: MATCH,
  },
  'conversation.openers': {
    operationId: 'generateOpeners',
    requestName: 'OpenersRequest',
    responseName: 'OpenersResponse',
    description: [
      'Every opener is checked before it is released, and what was released is never taken back.',
      '',
      'With `Accept: text/event-stream` the openers come one by one as server-sent events, each with a JSON object as its data:',
      '',
      '| Event | Data | Meaning |',
      '|---|---|---|',
      '| `opener.delta` | `OpenerDelta` | The next piece of the text of the opener with this `index`. |',
      '| `opener` | `IndexedOpener` | An opener that is finished. |',
      '| `done` | `OpenersResponse` | The whole answer, as it is without streaming; the last event. |',
      '| `error` | `ErrorBody` | The call failed after the stream had begun; the last event. |',
      '',
      'Comment lines keep the connection open. An error before the first event is answered with its own status, as without streaming.',
    ].join('\n'),
    requestExample: {
      sender: { id: SAM.id, name: 'Sam', preferences: SAM.preferences },
      recipient: MAYA,
      tone: 'playful',
      count: 2,
    },
    responseExample: OPENERS_EXAMPLE,
  },
  events: {
    operationId: 'reportEvents',
    requestName: 'EventsRequest',
    responseName: 'EventsResponse',
    description:
      'All records are stored, or none: one bad record refuses the batch and is named by its index. A record whose `idempotency_key` was stored before counts as a duplicate, so a batch can be sent again safely.',
    requestExample: EVENTS,
    responseExample: { request_id: REQUEST_ID, accepted: 1, duplicates: 0 },
  },
}
