import { createBodyBudget, type BodyBudget } from './http/body-budget.js'
import type { Config } from './config/config.js'
import { lockDataFolder } from './database/lock-data-folder.js'
import { openDatabase, type Database } from './database/open-database.js'
import { startCheckpoints } from './database/start-checkpoints.js'
import { startUpCall } from './inference/call.js'
import type { LanguageModel } from './inference/language/language.js'
import { openModels, type Models } from './inference/open-models.js'
import { perRevision } from './inference/per-revision.js'
import type { Prompts } from './inference/language/prompts.js'
import type { VisionModel } from './inference/encoder/vision.js'
import { createMatchJudge, type MatchJudge } from './match/judge-match.js'
import { createReasonWriter, type ReasonWriter } from './match/match-reason.js'
import { loadTopics, TOPIC_CAPTIONS, type TopicCloseness } from './match/topics.js'
import { authenticate } from './organizations/authenticate.js'
import type { Caller } from './organizations/capability.js'
import { checkServerSecret } from './organizations/check-server-secret.js'
import { createIdempotency, type Idempotency } from './metering/idempotency.js'
import { loadPlans, type LoadedPlans, type Plans } from './metering/plans.js'
import { createRateLimiter, type RateLimiter } from './metering/rate-limit.js'
import { releaseAbandoned } from './metering/release-abandoned.js'
import { openServerSecret, type ServerSecret } from './organizations/server-secret.js'
import { startSweeping } from './metering/sweep-expired.js'
import { createAnalysisCache } from './photos/analysis-cache.js'
import { createPhotoAnalyzer, type PhotoAnalyzer } from './photos/analyze-photos.js'
import { createPhotoFetcher } from './photos/fetch-photo.js'
import { createIdentityProvider, type IdentityProvider } from './accounts/identity-provider.js'
import { sweepAccess } from './accounts/sweep-access.js'
import { startPurging } from './retention/start-purging.js'
import { loadLearntEntries, type LearntEntries } from './preferences/learnt-entries.js'
import { createPhotoTagger, type PhotoTagger } from './profile/photo-tagger.js'
import { createBioSafety, type BioSafety } from './safety/bio-safety.js'
import { createPhraseSafety, type PhraseSafety } from './safety/phrase-safety.js'
import { warmUpTextRules } from './safety/warm-up-text-rules.js'
import { createLog, describeError, type Log } from './telemetry/log.js'
import { createMetrics, type Metrics } from './telemetry/metrics.js'
import {
  BACKGROUND_TEXTS,
  createTextSimilarity,
  type TextSimilarity,
} from './profile/text-similarity.js'
import { isMarkedSynthetic } from './database/synthetic-mark.js'
import { createUsageRecorder, type UsageRecorder } from './usage/usage-recorder.js'

/** Every part of the running service; `openContext` is the only place that puts them together. */
export interface AppContext {
  config: Config
  log: Log
  metrics: Metrics
  /** Milliseconds since the epoch. */
  clock: () => number
  db: Database
  secret: ServerSecret
  plans: Plans
  reloadPlans: LoadedPlans['reload']
  idempotency: Idempotency
  rateLimiter: RateLimiter
  bodyBudget: BodyBudget
  usage: UsageRecorder
  /** The database holds invented data, as `npm run demo -- --history` makes it. */
  isSynthetic: boolean
  models: Models
  vision: VisionModel
  language: LanguageModel
  /** Prompts of the language pack in use. */
  prompts: () => Prompts
  photos: PhotoAnalyzer
  /** These four hold embeddings of the vision pack in use and are made anew when it is swapped. */
  photoTagger: () => Promise<PhotoTagger>
  textSimilarity: () => Promise<TextSimilarity>
  matchTopics: () => Promise<TopicCloseness>
  /** Undefined where the pack's text space is not the one they were learnt in. */
  learntEntries: () => Promise<LearntEntries | undefined>
  matchJudge: MatchJudge
  reasonWriter: ReasonWriter
  /** Where people may sign in to the portal besides by password, if the operator configured it. */
  identityProvider: IdentityProvider | undefined
  bioSafety: BioSafety
  isSafePhrase: PhraseSafety
  authenticate: (authorization: string | undefined) => Promise<Caller>
  /** Computes what the first call would otherwise wait for. */
  warmUp: () => Promise<void>
  /** Whether that is under way for the first time. */
  isWarmingUp: () => boolean
  close: () => Promise<void>
}

/** What tests put in the place of a real part. */
export type ContextOverrides = Partial<Pick<AppContext, 'clock' | 'log' | 'models'>>

/** Ends one part of the service. */
type Closer = () => Promise<unknown> | void

/** Puts the parts together; where one cannot be opened, those before it are closed again. */
export async function openContext(
  config: Config,
  overrides: ContextOverrides = {},
): Promise<AppContext> {
  const closers: Closer[] = []
  try {
    return await openParts(config, overrides, closers)
  } catch (error) {
    await closeAll(closers).catch(() => {})
    throw error
  }
}

/** @param closers - gets one for each part that has to be closed, in the order of opening */
async function openParts(
  config: Config,
  overrides: ContextOverrides,
  closers: Closer[],
): Promise<AppContext> {
  const log = overrides.log ?? createLog(config.log)
  const clock = overrides.clock ?? Date.now
  const metrics = createMetrics()

  closers.push(await lockDataFolder(config.dataDir))
  const db = await openDatabase(config.dataDir)
  closers.push(() => db.destroy())
  const secret = await openServerSecret(config.dataDir)
  await checkServerSecret(db, secret)
  const { plans, reload: reloadPlans } = await loadPlans(db, config)
  await releaseAbandoned(db)
  const rateLimiter = createRateLimiter()
  const usage = createUsageRecorder({ db, log, metrics, clock })
  closers.push(() => usage.close())
  closers.push(startSweeping({ db, rateLimiter, log, clock, others: [sweepAccess] }))
  const onFailure = (error: unknown) =>
    log.error('requests move the log of the database from now on', describeError(error))
  closers.push(await startCheckpoints({ db, dataDir: config.dataDir, onFailure }))
  closers.push(startPurging({ ...config, log, clock }))

  const models = overrides.models ?? openModels(config, { log, metrics })
  closers.push(() => models.close())
  const { vision, language } = models
  const fetcher = createPhotoFetcher(config.photos)
  closers.push(() => fetcher.close())
  const cache = createAnalysisCache(config.photos)
  metrics.beforeRead(() => {
    const { entries, hits, misses } = cache.stats()
    metrics.photoCache.set({ what: 'kept' }, entries)
    metrics.photoCache.set({ what: 'hit' }, hits)
    metrics.photoCache.set({ what: 'miss' }, misses)
  })

  const photoTagger = perRevision(vision, () => createPhotoTagger(vision, startUpCall()))
  const textSimilarity = perRevision(vision, () =>
    createTextSimilarity(vision, BACKGROUND_TEXTS, startUpCall()),
  )
  const matchTopics = perRevision(vision, async () =>
    loadTopics(TOPIC_CAPTIONS, await textSimilarity(), startUpCall()),
  )
  const learntEntries = perRevision(vision, async () =>
    loadLearntEntries(await textSimilarity(), startUpCall()),
  )

  const bioSafety = createBioSafety({ vision })
  let warmth: 'cold' | 'warming' | 'warm' = 'cold'

  return {
    config,
    log,
    metrics,
    clock,
    db,
    secret,
    plans,
    reloadPlans,
    idempotency: createIdempotency({ db, secret, clock }),
    rateLimiter,
    bodyBudget: createBodyBudget(config.bodiesLimitBytes),
    usage,
    isSynthetic: await isMarkedSynthetic(db),
    models,
    vision,
    language,
    prompts: () => models.prompts(),
    photos: createPhotoAnalyzer({ vision, cache, fetcher }),
    photoTagger,
    textSimilarity,
    matchTopics,
    learntEntries,
    matchJudge: createMatchJudge(vision),
    reasonWriter: createReasonWriter(),
    identityProvider:
      config.identityProvider &&
      createIdentityProvider(config.identityProvider, config.secrets.oidcClientSecret),
    bioSafety,
    isSafePhrase: createPhraseSafety(),
    authenticate: (authorization) => authenticate({ db, secret }, authorization, clock()),
    warmUp: async () => {
      if (warmth === 'cold') warmth = 'warming'
      try {
        warmUpTextRules()
        await photoTagger()
        await matchTopics()
        await learntEntries()
        warmth = 'warm'
      } finally {
        if (warmth === 'warming') warmth = 'cold'
      }
    },
    isWarmingUp: () => warmth === 'warming',
    close: () => closeAll(closers),
  }
}

/**
 * Closes the last first, and each once.
 * @throws what the first that failed threw, after all the others are closed
 */
async function closeAll(closers: Closer[]): Promise<void> {
  const failures: unknown[] = []
  for (const close of closers.splice(0).toReversed()) {
    try {
      await close()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}
