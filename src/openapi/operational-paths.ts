import { referenceTo } from './component-schemas.js'
import { referToHeaders } from './response-headers.js'

/** Paths for load balancers and operators, without metrics, which partners do not need. */
export const OPERATIONAL_PATHS = {
  '/healthz': {
    get: {
      operationId: 'checkAlive',
      tags: ['Operation'],
      summary: 'Tells that the process answers',
      security: [],
      responses: { 200: answer('The process answers.', 'Alive', { status: 'alive' }) },
    },
  },
  '/readyz': {
    get: {
      operationId: 'checkReady',
      tags: ['Operation'],
      summary: 'Tells whether the database and every model can be used, and the state of each',
      security: [],
      responses: {
        200: answer('The database can be used and every model can answer.', 'Ready', {
          status: 'ready',
          storage: 'ok',
          models: [
            {
              role: 'vision',
              state: 'ready',
              packs: ['clip-lite', 'open-nsfw', 'bio-safety-e5-small', 'match-minilm'],
              device: 'cpu',
            },
            { role: 'language', state: 'ready', packs: ['smollm2-135m-openers'], device: 'cpu' },
          ],
        }),
        503: answer(
          'The database cannot be used, some model cannot answer yet, or the service is stopping.',
          'Ready',
          {
            status: 'starting',
            reason: 'the language model is starting',
            storage: 'ok',
            models: [
              {
                role: 'vision',
                state: 'ready',
                packs: ['clip-lite', 'open-nsfw', 'bio-safety-e5-small', 'match-minilm'],
                device: 'cpu',
              },
              { role: 'language', state: 'starting', packs: ['smollm2-135m-openers'] },
            ],
          },
        ),
      },
    },
  },
}

function answer(description: string, schema: string, example: unknown) {
  return {
    description,
    headers: referToHeaders(['X-Request-Id']),
    content: { 'application/json': { schema: { $ref: referenceTo(schema) }, example } },
  }
}
