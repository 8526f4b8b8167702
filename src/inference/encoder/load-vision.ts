import { setMaxListeners } from 'node:events'
import { createBatcher } from '../workers/batcher.js'
import { describePacks } from './vision-properties.js'
import type { VisionSettings } from './vision-settings.js'
import type { PairScores, ProfilePair, VisionMethods } from './vision.js'
import { ENGINES_DEVICE } from '../workers/protocol.js'
import type { LoadedWorker, ServerChannel } from '../workers/worker-runtime.js'
import { BATCHING, type Batching } from './batching.js'
import { classifyBio, type TextOdds } from './classify-bio.js'
import { engineSession, moveToEngines } from './engine-session.js'
import type { ModelSession } from './model-session.js'
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
export async function loadVision(
  settings: VisionSettings,
  server: ServerChannel,
): Promise<LoadedWorker<VisionMethods>> {
  const { clip: clipPack, photoSafety: safetyPack, bioSafety: bioPack, match: matchPack } = settings
  const { threads, engines } = settings
  const files = {
    vision: clipPack.clip.vision.model,
    text: clipPack.clip.text.model,
    safety: safetyPack.photoSafety.model,
    bios: bioPack.bioSafety.text.model,
    matches: matchPack.match.text.model,
  }
  const opened = await openSessions(files, settings)
  const remote = engines && atEngines(opened.sessions, settings)
  const sessions: Record<keyof typeof files, ModelSession> = remote ?? opened.sessions
  const batching: Batching = engines
    ? { ...BATCHING.cpu, concurrency: Math.max(2, engines.concurrency) }
    : BATCHING[opened.provider]
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
  if (remote) await moveToEngines(Object.values(remote), server)
  const { concurrency } = batching
  const analyzePhoto = createPhotoAnalysis({
    clip,
    safety,
    threads,
    batchLimit: batching.photos,
    concurrency,
  })
  const texts = createBatcher<string, Float32Array>({
    maxBatch: batching.texts,
    maxDelayMs: 0,
    concurrency,
    run: (batch, signal) => clip.embedTexts(batch, signal),
  })
  const bioTexts = createBatcher<string, TextOdds>({
    maxBatch: batching.texts,
    maxDelayMs: 0,
    concurrency,
    run: (batch, signal) => bioSafety.read(batch, signal),
  })
  const matches = createBatcher<ProfilePair, PairScores>({
    maxBatch: batching.texts,
    maxDelayMs: 0,
    concurrency,
    run: (batch, signal) => matchModel.score(batch, signal),
  })
  return {
    info: {
      ...describePacks(settings),
      device: engines ? ENGINES_DEVICE : opened.provider,
      threads,
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

/** The models under the names that engines have them by: that of the pack, with the tower where it has two. */
function atEngines<
  S extends Record<'vision' | 'text' | 'safety' | 'bios' | 'matches', ModelSession>,
>(local: S, { clip, photoSafety, bioSafety, match }: VisionSettings) {
  const at = (session: ModelSession, pack: { name: string; revision: string }, tower = '') =>
    engineSession(session, { name: pack.name + tower, packRevision: pack.revision })
  return {
    vision: at(local.vision, clip, '-vision'),
    text: at(local.text, clip, '-text'),
    safety: at(local.safety, photoSafety),
    bios: at(local.bios, bioSafety),
    matches: at(local.matches, match),
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
