import type { Config } from './config/config.js'
import { closeAll, type Closer } from './core/close-all.js'
import { lockDataFolder } from './database/lock-data-folder.js'
import { openDatabase, type Database } from './database/open-database.js'
import { startCheckpoints } from './database/start-checkpoints.js'
import { keepPartitionsAhead } from './database/postgres/keep-partitions-ahead.js'
import { Replica } from './database/postgres/replica.js'
import { StorageMonitor } from './database/storage-monitor.js'
import { startUpCall } from './inference/inference-call.js'
import type { LanguageModel } from './inference/language/language.js'
import { openModels, type Models } from './inference/open-models.js'
import { oncePerRevision } from './inference/once-per-revision.js'
import { createWarmUp, type WarmUp } from './inference/warm-up.js'
import type { Prompts } from './inference/language/prompts.js'
import type { VisionModel } from './inference/encoder/vision.js'
import { createLearner, type Learner } from './learning/learner.js'
import { startFitThread } from './learning/start-fit-thread.js'
import { ExemplarLibrary } from './openers/exemplars/exemplar-library.js'
import { Exemplars } from './openers/exemplars/exemplar-source.js'
import { readExemplars } from './openers/exemplars/read-exemplars.js'
import type { OpenerPolicy } from './openers/opener-policy.js'
import { createPairScorer, type PairScorer } from './match/pair-scorer.js'
import { createReasonWriter, type ReasonWriter } from './match/match-reason.js'
import { readMatchReasons } from './match/reasons/read-match-reasons.js'
import { NO_MATCH_REASONS, ReasonLibrary } from './match/reasons/reason-library.js'
import { loadTopics, TOPIC_CAPTIONS, type TopicCloseness } from './match/topics.js'
import { startAuditChain } from './organizations/audit-log.js'
import { authenticate } from './organizations/authenticate.js'
import type { Caller } from './organizations/capability.js'
import { openSecretOf } from './organizations/check-server-secret.js'
import { createIdempotency, type Idempotency } from './metering/idempotency.js'
import { loadPlans, type LoadedPlans, type Plans } from './metering/plans.js'
import { createRateLimiter, type RateLimiter } from './metering/rate-limit.js'
import { createSharedRateLimiter } from './metering/shared-rate-limiter.js'
import { releaseAbandoned } from './metering/release-abandoned.js'
import type { ServerSecret } from './organizations/server-secret.js'
import { startSweeping } from './metering/sweep-expired-records.js'
import type { PhotoAnalyzer } from './photos/analyze-photos.js'
import { openPhotos } from './photos/open-photos.js'
import { createIdentityProvider, type IdentityProvider } from './accounts/identity-provider.js'
import { createNoticeCounter } from './accounts/security-notices.js'
import { sweepAccess } from './accounts/sweep-expired-access.js'
import { startPurging } from './retention/start-purging.js'
import { watchClock } from './retention/watch-clock.js'
import { loadLearnedEntries, type LearnedEntries } from './preferences/learned-entries.js'
import { createPhotoTagger, type PhotoTagger } from './profile/photo-tagger.js'
import { createBioSafety, type BioSafety } from './safety/bio-safety.js'
import { createPhraseSafety, type PhraseSafety } from './safety/phrase-safety.js'
import { warmUpTextRules } from './safety/warm-up-text-rules.js'
import { createLog, type Log } from './telemetry/log.js'
import { createMetrics, type Metrics } from './telemetry/metrics.js'
import {
  reportCheckpoints,
  reportPartitions,
  reportPool,
  reportReplica,
  reportStorage,
} from './telemetry/report-storage.js'
import {
  BACKGROUND_TEXTS,
  createTextSimilarity,
  type TextSimilarity,
} from './profile/text-similarity.js'
import { isMarkedSynthetic } from './database/synthetic-mark.js'
import { createUsageRecorder, type UsageRecorder } from './usage/usage-recorder.js'

/** Every part of the running service; only `openContext` constructs them. */
export interface AppContext extends WarmUp {
  config: Config
  log: Log
  metrics: Metrics
  /** Milliseconds since the epoch. */
  clock: () => number
  db: Database
  /** Whether the database can be used. */
  storage: Pick<StorageMonitor, 'status' | 'assertHasRoom'>
  /** This server as one of those that use a PostgreSQL database; undefined on SQLite, which has one server. */
  replica: Replica | undefined
  secret: ServerSecret
  plans: Plans
  reloadPlans: LoadedPlans['reload']
  idempotency: Idempotency
  rateLimiter: RateLimiter
  usage: UsageRecorder
  /** The database holds invented data from `npm run demo -- --history`. */
  isSynthetic: boolean
  models: Models
  vision: VisionModel
  language: LanguageModel
  /** Prompts of the language pack in use. */
  prompts: () => Prompts
  photos: PhotoAnalyzer
  /** These four hold embeddings of the vision pack in use; a swap of the pack computes them again. */
  photoTagger: () => Promise<PhotoTagger>
  textSimilarity: () => Promise<TextSimilarity>
  matchTopics: () => Promise<TopicCloseness>
  /** Undefined when the pack's text space is not the one that they were fitted in. */
  learnedEntries: () => Promise<LearnedEntries | undefined>
  openerPolicy: OpenerPolicy
  /** The policy unless a test replaced it; the portal reports changed settings to it. */
  learner: Learner
  /** Openers written by hand. */
  exemplars: Exemplars
  /** Match reasons written by hand. */
  matchReasons: ReasonLibrary
  pairScorer: PairScorer
  reasonWriter: ReasonWriter
  /** Single sign-on for the portal, if the operator configured it. */
  identityProvider: IdentityProvider | undefined
  bioSafety: BioSafety
  isSafePhrase: PhraseSafety
  authenticate: (authorization: string | undefined) => Promise<Caller>
  close: () => Promise<void>
}

/** Parts that tests replace. */
export type ContextOverrides = Partial<
  Pick<AppContext, 'clock' | 'log' | 'models' | 'openerPolicy' | 'exemplars' | 'matchReasons'>
>

/** Opens all parts; when one cannot be opened, those opened before it are closed again. */
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

/** @param closers - receives one for each part that must be closed, in the order of opening */
async function openParts(
  config: Config,
  overrides: ContextOverrides,
  closers: Closer[],
): Promise<AppContext> {
  const log = overrides.log ?? createLog(config.log)
  const clock = overrides.clock ?? Date.now
  const base: BaseParts = { config, log, metrics: createMetrics(), clock }
  const storage = await openStorage(base, closers)
  const learner = openLearner(base, storage, closers)
  const models = overrides.models ?? openModels(config, base, storage.secret.subkey('prefix-cache'))
  closers.push(() => models.close())
  const { identityProvider, secrets } = config
  const matchReasons = overrides.matchReasons ?? openMatchReasons(config)
  return {
    ...base,
    ...storage,
    ...openModelParts(base, models, closers),
    learner,
    openerPolicy: overrides.openerPolicy ?? learner,
    exemplars: overrides.exemplars ?? openExemplars(config, clock),
    matchReasons,
    reasonWriter: createReasonWriter(matchReasons),
    identityProvider:
      identityProvider && createIdentityProvider(identityProvider, secrets.oidcClientSecret),
    close: () => closeAll(closers),
  }
}

type BaseParts = Pick<AppContext, 'config' | 'log' | 'metrics' | 'clock'>

/** Opens the database with what is kept in it, and starts its maintenance. */
async function openStorage({ config, log, metrics, clock }: BaseParts, closers: Closer[]) {
  const { dataDir, postgres } = config
  // Replicas share what they keep in PostgreSQL; a server on SQLite keeps rate limits and running calls to itself.
  if (!postgres) closers.push(await lockDataFolder(dataDir))
  const storage = new StorageMonitor(reportStorage({ log, metrics }))
  const db = await openDatabase(dataDir, {
    watch: storage,
    mustExist: config.requireDatabase,
    postgres,
    onPool: (pool) => {
      reportPool(metrics)(pool)
      storage.watchPool(pool)
    },
  })
  closers.push(() => db.destroy())
  closers.push(storage.start(db, postgres ? undefined : dataDir))
  const secret = await openSecretOf(db, config)
  await startAuditChain({ db, secret }, clock())
  const { plans, reload: reloadPlans } = await loadPlans(db, config)
  await releaseAbandoned(db)
  const replica = postgres ? await Replica.join(db, reportReplica(log)) : undefined
  closers.push(() => replica?.leave())
  const rateLimiter = postgres ? createSharedRateLimiter(db) : createRateLimiter()
  const usage = createUsageRecorder({ db, log, metrics, clock })
  closers.push(() => usage.close())
  const countNotices = await createNoticeCounter(db, metrics)
  closers.push(
    startSweeping({ db, rateLimiter, log, clock, others: [sweepAccess], own: [countNotices] }),
  )
  if (!postgres) {
    closers.push(await startCheckpoints({ db, dataDir, ...reportCheckpoints({ log, metrics }) }))
  }
  if (postgres)
    closers.push(await keepPartitionsAhead({ db, clock, onError: reportPartitions(log) }))
  closers.push(watchClock({ db, log, clock }))
  closers.push(startPurging({ ...config, log, clock }))
  return {
    db,
    storage,
    replica,
    secret,
    plans,
    reloadPlans,
    rateLimiter,
    usage,
    isSynthetic: await isMarkedSynthetic(db),
    idempotency: createIdempotency({ db, secret, clock, replica }),
    authenticate: (authorization: string | undefined) =>
      authenticate({ db, secret }, authorization, clock()),
  }
}

function openLearner(
  base: BaseParts,
  storage: Pick<AppContext, 'db' | 'secret'>,
  closers: Closer[],
): Learner {
  const { dataDir, postgres, learning } = base.config
  const { fit, close } = startFitThread({ dataDir, postgres, isPooled: learning.isPooled })
  closers.push(close)
  const learner = createLearner({ ...base, ...storage, fit })
  closers.push(() => learner.close())
  return learner
}

function openExemplars(config: Config, clock: () => number): Exemplars {
  const { exemplarsDir, releasesExemplars } = config
  const groups = exemplarsDir === undefined ? [] : readExemplars(exemplarsDir)
  return new Exemplars(new ExemplarLibrary(groups), clock, releasesExemplars)
}

function openMatchReasons({ matchReasonsDir }: Config): ReasonLibrary {
  if (matchReasonsDir === undefined) return NO_MATCH_REASONS
  return new ReasonLibrary(readMatchReasons(matchReasonsDir))
}

/** Prepares everything that asks the models; nothing is computed before `warmUp`. */
function openModelParts({ config, metrics }: BaseParts, models: Models, closers: Closer[]) {
  const { vision, language } = models
  const { photos, close } = openPhotos(config.photos, { vision, metrics })
  closers.push(close)
  const photoTagger = oncePerRevision(vision, () => createPhotoTagger(vision, startUpCall()))
  const textSimilarity = oncePerRevision(vision, () =>
    createTextSimilarity(vision, BACKGROUND_TEXTS, startUpCall()),
  )
  const matchTopics = oncePerRevision(vision, async () =>
    loadTopics(TOPIC_CAPTIONS, await textSimilarity(), startUpCall()),
  )
  const learnedEntries = oncePerRevision(vision, async () =>
    loadLearnedEntries(await textSimilarity(), startUpCall()),
  )
  return {
    models,
    vision,
    language,
    prompts: () => models.prompts(),
    photos,
    photoTagger,
    textSimilarity,
    matchTopics,
    learnedEntries,
    pairScorer: createPairScorer(vision),
    bioSafety: createBioSafety({ vision }),
    isSafePhrase: createPhraseSafety(),
    ...createWarmUp([warmUpTextRules, photoTagger, matchTopics, learnedEntries]),
  }
}
