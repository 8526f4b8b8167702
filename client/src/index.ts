export type {
  Evidence,
  ExplainedPhoto,
  ErrorCode,
  EventKind,
  EventRecord,
  EventsRequest,
  EventsResponse,
  IndexedOpener,
  InferPreferencesRequest,
  InferPreferencesResponse,
  MatchExplanation,
  MatchRequest,
  MatchResponse,
  Opener,
  OpenerDelta,
  OpenersExplanation,
  OpenersRequest,
  OpenersResponse,
  Preferences,
  PreferencesExplanation,
  ReasonCategory,
  Style,
  Tone,
  User,
} from './api-schema.js'
export { hashEndUserId } from './hash-end-user-id.js'
export {
  createProfileClient,
  type CallOptions,
  type ProfileClient,
  type ProfileClientOptions,
} from './profile-client.js'
export type { OpenerStreamEvent } from './read-opener-stream.js'
export { ConnectionError, ProfileServiceError } from './service-failure.js'
