import fc from 'fast-check'
import { encodedBody, type EncodedBody } from '../inputs/mutate-bytes.js'
import { mutatedJson } from '../inputs/mutate-json.js'
import { smallPhotoUrl } from '../inputs/photo-seeds.js'
import { createTarget } from '../run-target.js'
import { judgeAnswer } from '../service/judge-answer.js'

/** A refusal costs reading and checking the body; 80 MB that inflate to a refusal are the largest. */
const CEILINGS = { refused: 300, answered: 30_000 }

interface BodyInput {
  route: string
  body: EncodedBody
  /** Test keys get synthetic answers in place of some errors. */
  synthetic: boolean
  /** Asks for events where the call has them. */
  stream: boolean
}

/** Bodies of the calls that models answer. */
export const bodies = createTarget<BodyInput>('bodies', async (resources) => {
  const { apiKey, send, readCpuMs } = await resources.service()
  const photo = await smallPhotoUrl()
  const person = { id: 'u', photos: [photo], bio: 'I bake bread and climb on Sundays.' }
  const preferences = { interests: ['baking', 'climbing'], lifestyle: ['early riser'] }
  const withPreferences = { ...person, preferences }
  const inputOf = (route: string, ...valid: unknown[]) =>
    fc.record({
      route: fc.constant(route),
      body: encodedBody(mutatedJson(valid)),
      synthetic: fc.boolean(),
      stream: fc.boolean(),
    })
  return {
    // The language model takes seconds for an answer, so most inputs go where it is not needed.
    inputs: fc.oneof(
      {
        weight: 6,
        arbitrary: inputOf('/v1/match/evaluate', {
          user_a: withPreferences,
          user_b: withPreferences,
        }),
      },
      { weight: 1, arbitrary: inputOf('/v1/profile/infer-preferences', { user: person }) },
      {
        weight: 1,
        arbitrary: inputOf('/v1/conversation/openers', {
          sender: { id: 's', name: 'Sam', preferences },
          recipient: person,
          tone: 'warm',
          count: 1,
        }),
      },
    ),
    ceilings: CEILINGS,
    readCpuMs,
    attempt: async ({ route, body, synthetic, stream }) =>
      judgeAnswer(
        await send({
          path: route,
          headers: {
            Authorization: `Bearer ${apiKey}`,
            'Content-Type': 'application/json',
            Accept: stream ? 'text/event-stream' : 'application/json',
            ...(body.encoding !== undefined && { 'Content-Encoding': body.encoding }),
            ...(!synthetic && { 'X-Service-Synthetic': 'never' }),
          },
          body: body.bytes,
        }),
      ),
    describe: describeBody,
  }
})

function describeBody({ route, body, synthetic, stream }: BodyInput): string {
  const { bytes, encoding } = body
  const isText = encoding === undefined
  return [
    `POST ${route}, Content-Encoding ${encoding ?? 'none'}, synthetic ${synthetic}, stream ${stream}`,
    isText ? bytes.toString() : `base64: ${bytes.toString('base64')}`,
  ].join('\n')
}
