import type { InferenceCall } from '../../src/inference/inference-call.js'
import type { PhotoOutcome, VisionModel } from '../../src/inference/encoder/vision.js'
import { never } from './_fetch-failure.js'

export const call: InferenceCall = {
  signal: never,
  deadline: Date.now() + 60_000,
  priority: 'match',
  tenant: { id: 'org live', weight: 1 },
}

export interface FakeVision extends VisionModel {
  /** Batches it was asked for; each is answered when the test says so, or at once when `automatic`. */
  batches: FakeBatch[]
  automatic: boolean
  /** Goes on after an abort, as a worker does that is in the middle of a batch. */
  stubborn: boolean
  setRevision(revision: string): void
}

export interface FakeBatch {
  sizes: number[]
  call: InferenceCall
  answer(): void
  fail(error: Error): void
}

/** Embeds a photo as its own byte count; bytes of odd length are no decodable image. */
export function createFakeVision({ automatic = true } = {}): FakeVision {
  let revision = 'model 1'
  const fake: FakeVision = {
    batches: [],
    automatic,
    stubborn: false,
    setRevision: (next) => (revision = next),
    revision: () => revision,
    logitScale: () => 100,
    embedTexts: () => Promise.reject(new Error('not asked for here')),
    embedCaptions: () => Promise.reject(new Error('not asked for here')),
    classifyBio: () => Promise.reject(new Error('not asked for here')),
    scorePairs: () => Promise.reject(new Error('not asked for here')),
    analyzePhotos: (photos, inferenceCall) =>
      new Promise((resolve, reject) => {
        const sizes = photos.map(({ length }) => length)
        const answer = () => resolve(sizes.map(outcomeOf))
        const leave = () => reject(inferenceCall.signal.reason as Error)
        if (!fake.stubborn) inferenceCall.signal.addEventListener('abort', leave)
        fake.batches.push({ sizes, call: inferenceCall, answer, fail: reject })
        if (fake.automatic) answer()
      }),
  }
  return fake
}

function outcomeOf(size: number): PhotoOutcome {
  if (size % 2 === 1) return { ok: false, reason: 'it ends early' }
  // As over IPC: a view of a message that holds much more.
  const message = new Float32Array(1_000)
  message[8] = size
  return { ok: true, analysis: { embedding: message.subarray(8, 9), nsfw: 0.01 } }
}
