import { Finding } from '../finding.js'
import { mutatedPhoto } from '../inputs/mutate-photo.js'
import { createPhotoSeeds, smallPhotoUrl } from '../inputs/photo-seeds.js'
import { createTarget } from '../run-target.js'
import { judgeAnswer } from '../service/judge-answer.js'

/** A refused photo was read by a decoder, which may take up to its own time limit. */
const CEILINGS = { refused: 15_000, answered: 15_000 }
const FORMATS = ['jpeg', 'png', 'webp', 'avif', 'gif']

/** Photos for the decoders in the vision worker. */
export const photos = createTarget<Buffer>('photos', async (resources) => {
  const { apiKey, send, readCpuMs } = await resources.service()
  const person = {
    id: 'u',
    bio: 'I bake bread.',
    // The language model is not needed for people with preferences.
    preferences: { interests: ['baking'], lifestyle: ['early riser'] },
  }
  const other = { ...person, photos: [await smallPhotoUrl('coffee.jpg')] }
  return {
    inputs: mutatedPhoto(await createPhotoSeeds()),
    ceilings: CEILINGS,
    readCpuMs,
    attempt: async (bytes) => {
      const type = FORMATS[bytes.length % FORMATS.length]!
      const url = `data:image/${type};base64,${bytes.toString('base64')}`
      const answer = await send({
        path: '/v1/match/evaluate',
        headers: {
          Authorization: `Bearer ${apiKey}`,
          'Content-Type': 'application/json',
          'X-Service-Synthetic': 'never',
        },
        body: JSON.stringify({ user_a: { ...person, photos: [url] }, user_b: other }),
      })
      const outcome = judgeAnswer(answer)
      if (answer.status === 503) throw new Finding(`503 for a photo: ${answer.text}`)
      return outcome
    },
    describe: (bytes) => bytes.toString('base64'),
  }
})
