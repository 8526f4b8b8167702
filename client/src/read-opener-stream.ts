import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream'
import type { IndexedOpener, OpenerDelta, OpenersResponse } from './api-schema.js'
import { ConnectionError, ProfileServiceError } from './service-failure.js'

/** What a stream of openers tells, in order; `done` is the last and holds the whole answer. */
export type OpenerStreamEvent =
  | { event: 'opener.delta'; data: OpenerDelta }
  | { event: 'opener'; data: IndexedOpener }
  | { event: 'done'; data: OpenersResponse }

/**
 * Reads a streamed answer up to its end. Events that later versions of the service may send are passed over.
 * @throws ProfileServiceError when the service fails in the middle, ConnectionError when the stream breaks off
 */
export async function* readOpenerStream(
  response: Response,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<OpenerStreamEvent, void> {
  for await (const { event, data } of readMessages(body, signal)) {
    switch (event) {
      case 'opener.delta':
      case 'opener':
        yield { event, data: JSON.parse(data) }
        break
      case 'done':
        yield { event, data: JSON.parse(data) }
        return
      case 'error':
        throw new ProfileServiceError(response, JSON.parse(data))
      default:
        break
    }
  }
  throw new ConnectionError('The stream ended before its last event.')
}

async function* readMessages(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<EventSourceMessage, void> {
  // Not every browser can iterate over a stream.
  const messages = body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new EventSourceParserStream())
    .getReader()
  try {
    for (;;) {
      const { done, value } = await messages.read()
      if (done) return
      yield value
    }
  } catch (cause) {
    signal?.throwIfAborted()
    throw new ConnectionError('The stream broke off.', { cause })
  } finally {
    await messages.cancel().catch(() => {})
  }
}
