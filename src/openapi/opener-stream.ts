import { OPENERS_EXAMPLE } from './call-documents.js'
import { referenceTo } from './component-schemas.js'

/** Events of a streamed answer, with the schema of their data. */
export const OPENER_STREAM_EVENTS = {
  'opener.delta': 'OpenerDelta',
  opener: 'IndexedOpener',
  done: 'OpenersResponse',
  error: 'ErrorBody',
} as const

/** Describes the streamed answer as OpenAPI content. NOTE: 3.1 has no field for event schemas; in 3.2 it is `itemSchema`. */
export function describeOpenerStream() {
  return {
    schema: { type: 'string', description: 'Server-sent events; their data is JSON.' },
    'x-events': Object.fromEntries(
      Object.entries(OPENER_STREAM_EVENTS).map(([event, schema]) => [
        event,
        { $ref: referenceTo(schema) },
      ]),
    ),
    example: exampleStream(),
  }
}

function exampleStream(): string {
  const events = OPENERS_EXAMPLE.openers.flatMap((opener, index) => [
    formatEvent('opener.delta', { index, style: opener.style, text: opener.text }),
    formatEvent('opener', { index, ...opener }),
  ])
  return [...events, formatEvent('done', OPENERS_EXAMPLE)].join('')
}

function formatEvent(event: string, data: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
