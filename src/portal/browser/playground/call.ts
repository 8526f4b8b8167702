import {
  createProfileClient,
  type InferPreferencesRequest,
  type InferPreferencesResponse,
  type MatchRequest,
  type MatchResponse,
  type OpenersRequest,
  type OpenerStreamEvent,
} from '../../../../client/src/index.js'

/** One of the three calls, with its body. */
export type Call =
  | { capability: 'profile.infer_preferences'; body: InferPreferencesRequest }
  | { capability: 'match.evaluate'; body: MatchRequest }
  | { capability: 'conversation.openers'; body: OpenersRequest }

export interface CallSettings {
  apiKey: string
  /** Whether the answer may be invented if the photos or the content are a problem. */
  allowsSynthetic: boolean
  signal: AbortSignal
}

/** Receives the parts of an answer as they arrive. */
export interface CallListener {
  /** Called when the headers have arrived. */
  onResponse: (response: Response) => void
  onPreferences: (answer: InferPreferencesResponse) => void
  onMatch: (answer: MatchResponse) => void
  onOpenerEvent: (event: OpenerStreamEvent) => void
}

/**
 * Sends a call to the service as a partner would. It is not retried, so that every error is visible.
 * @throws ProfileServiceError, ConnectionError, or the reason of the signal
 */
export async function sendCall(
  call: Call,
  { apiKey, allowsSynthetic, signal }: CallSettings,
  listener: CallListener,
): Promise<void> {
  const client = createProfileClient({
    baseUrl: location.origin,
    apiKey,
    retries: 0,
    onResponse: (response) => listener.onResponse(response),
  })
  const options = {
    signal,
    idempotencyKey: randomUuid(),
    explain: true,
    ...(allowsSynthetic ? {} : { synthetic: 'never' as const }),
  }
  switch (call.capability) {
    case 'profile.infer_preferences':
      listener.onPreferences(await client.inferPreferences(call.body, options))
      break
    case 'match.evaluate':
      listener.onMatch(await client.evaluateMatch(call.body, options))
      break
    case 'conversation.openers':
      for await (const event of client.streamOpeners(call.body, options)) {
        listener.onOpenerEvent(event)
      }
      break
  }
}

/** `crypto.randomUUID` is missing from pages over plain HTTP. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
