import type { Config } from './config.js'
import { openDatabase, type Database } from './database/open-database.js'
import { openModels, type Models } from './inference/open-models.js'
import { createReasonWriter, type ReasonWriter } from './match/match-reason.js'
import { authenticate } from './organizations/authenticate.js'
import type { Caller } from './organizations/capability.js'
import { openServerSecret } from './organizations/server-secret.js'
import { createAnalysisCache } from './photos/analysis-cache.js'
import { createPhotoAnalyzer, type PhotoAnalyzer } from './photos/analyze-photos.js'
import { createPhotoFetcher } from './photos/fetch-photo.js'
import { createLog, type Log } from './telemetry/log.js'
import { createMetrics, type Metrics } from './telemetry/metrics.js'

/** Every part of the running service. */
export interface AppContext {
  config: Config
  log: Log
  metrics: Metrics
  db: Database
  models: Models
  photos: PhotoAnalyzer
  reasonWriter: ReasonWriter
  /** Milliseconds since the epoch; tests replace it. */
  clock: () => number
  authenticate(authorization: string | undefined): Promise<Caller>
  close(): Promise<void>
}
