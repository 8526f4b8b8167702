import { setMaxListeners } from 'node:events'
import { createBatcher } from '../workers/batcher.js'
import type { VisionSettings } from './vision-settings.js'
import type { PairScores, ProfilePair, VisionMethods } from './vision.js'
import type { LoadedWorker } from '../workers/worker-runtime.js'
import { BATCHING } from './batching.js'
import { classifyBio, type TextOdds } from './classify-bio.js'
import { openBioSafety } from './open-bio-safety.js'
import { openClip } from './open-clip.js'
import { openMatchModel } from './open-match-model.js'
import { openPhotoSafety } from './open-photo-safety.js'
import { openSessions } from './open-pack-sessions.js'
import { namePackInErrors } from './pack-mismatch-error.js'
import { createPhotoAnalysis } from './photo-analysis.js'

/**
 * Loads the CLIP towers, the classifiers of photos and bios, and the match model, and runs each at least once.
 * @throws PackMismatchError
 */
export async function loadVision(settings: VisionSettings): Promise<LoadedWorker<VisionMethods>> {
  const { clip: clipPack, photoSafety: safetyPack, bioSafety: bioPack, match: matchPack } = settings
  const { threads } = settings
  const files = {
    vision: clipPack.clip.vision.model,
    text: clipPack.clip.text.model,
    safety: safetyPack.photoSafety.model,
    bios: bioPack.bioSafety.text.model,
    matches: matchPack.match.text.model,
  }
  const { provider, sessions } = await openSessions(files, settings)
  const batching = BATCHING[provider]
  const clip = await namePackInErrors(clipPack, () => openClip(clipPack, sessions, batching))
  const safety = await namePackInErrors(safetyPack, () =>
    openPhotoSafety(safetyPack, sessions.safety, batching),
  )
  const bioSafety = await namePackInErrors(bioPack, () =>
    openBioSafety(bioPack, sessions.bios, batching),
  )
  const matchModel = await namePackInErrors(matchPack, () =>
    openMatchModel(matchPack, sessions.matches, batching),
  )
  const analyzePhoto = createPhotoAnalysis({ clip, safety, threads, batchLimit: batching.photos })
  const texts = createBatcher<string, Float32Array>({
    maxBatch: batching.texts,
    maxDelayMs: 0,
    run: (batch) => clip.embedTexts(batch),
  })
  const bioTexts = createBatcher<string, TextOdds>({
    maxBatch: batching.texts,
    maxDelayMs: 0,
    run: (batch) => bioSafety.read(batch),
  })
  const matches = createBatcher<ProfilePair, PairScores>({
    maxBatch: batching.texts,
    maxDelayMs: 0,
    run: (batch) => matchModel.score(batch),
  })
  const packs = [clipPack, safetyPack, bioPack, matchPack]
  return {
    info: {
      packs: packs.map(({ name }) => name),
      device: provider,
      threads,
      properties: {
        revision: packs.map(({ name, revision }) => `${name}@${revision}`).join('+'),
        logitScale: clipPack.clip.logitScale,
      },
    },
    methods: {
      analyzePhotos: ({ photos }, { signal }) => {
        expectManyListeners(signal)
        const outcomes = Promise.all(photos.map((bytes) => analyzePhoto(bytes, signal)))
        return unlessAborted(outcomes, signal)
      },
      embedTexts: async (request, { signal }) => {
        expectManyListeners(signal)
        return await Promise.all(request.texts.map((text) => texts.add(text, signal)))
      },
      classifyBio: async (request, { signal }) => {
        expectManyListeners(signal)
        const readings = request.readings.map((texts) =>
          Promise.all(texts.map((text) => bioTexts.add(text, signal))),
        )
        return classifyBio(await Promise.all(readings), bioPack.bioSafety.thresholds)
      },
      scorePairs: async (request, { signal }) => {
        expectManyListeners(signal)
        return await Promise.all(request.pairs.map((pair) => matches.add(pair, signal)))
      },
    },
    dispose: async () => {
      for (const session of Object.values(sessions)) await session.release()
    },
  }
}

/** Every photo and text of a call listens to its signal; Node would warn of a leak beyond ten. */
function expectManyListeners(signal: AbortSignal): void {
  setMaxListeners(0, signal)
}

/** Decoding cannot be interrupted, but need not be awaited. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = () => {}
  try {
    return await new Promise<T>((resolve, reject) => {
      abort = () => reject(signal.reason as Error)
      signal.addEventListener('abort', abort)
      work.then(resolve, reject)
    })
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
