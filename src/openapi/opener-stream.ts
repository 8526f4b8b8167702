import { OPENERS_EXAMPLE } from './call-documents.js'
import { referenceTo } from './component-schemas.js'

/** Event names of a streamed answer, and the schema of each one's data. */
export const OPENER_STREAM_EVENTS = {
  'opener.delta': 'OpenerDelta',
  opener: 'IndexedOpener',
  done: 'OpenersResponse',
  error: 'ErrorBody',
} as const

/** The streamed answer as OpenAPI content. NOTE: 3.1 has no word for the schemas of events; 3.2 calls it `itemSchema`. */
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
