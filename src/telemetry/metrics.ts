import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import { STORAGE_STATES, type StorageState } from '../core/storage-state.js'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40]

export type Metrics = ReturnType<typeof createMetrics>

/** Creates the Prometheus metrics of the service. Label values come from closed sets, never from client input. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 10 })
  const registers = [registry]
  const readings: (() => void)[] = []
  const storageState = new Gauge({
    name: 'pis_storage_state',
    help: 'Whether the database can be used: 1 for the current state, 0 for the others.',
    labelNames: ['state'],
    registers,
  })
  return {
    registry,
    /** Registers a function that updates gauges before every read. */
    beforeRead: (reading: () => void) => void readings.push(reading),
    /** Returns all metrics in the Prometheus text format. */
    read: async () => {
      for (const reading of readings) reading()
      return registry.metrics()
    },
    requests: new Counter({
      name: 'pis_requests_total',
      help: 'Answered requests.',
      labelNames: ['route', 'environment', 'status', 'error'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'pis_request_duration_seconds',
      help: 'Time from the first byte of a request to the last byte of its answer.',
      labelNames: ['route'],
      buckets: SECONDS,
      registers,
    }),
    callsAboveSoftCap: new Counter({
      name: 'pis_calls_above_soft_cap_total',
      help: 'Charged calls of organisations that have reached the soft cap of their plan.',
      labelNames: ['capability', 'environment'],
      registers,
    }),
    requestsInProgress: new Gauge({
      name: 'pis_requests_in_progress',
      help: 'Requests being processed.',
      labelNames: ['capability'],
      registers,
    }),
    requestsWaiting: new Gauge({
      name: 'pis_requests_waiting',
      help: 'Requests waiting to be processed.',
      labelNames: ['capability'],
      registers,
    }),
    admissionSeconds: new Histogram({
      name: 'pis_admission_duration_seconds',
      help: 'Time a request waited before it was processed.',
      labelNames: ['capability'],
      buckets: SECONDS,
      registers,
    }),
    storageErrors: new Counter({
      name: 'pis_storage_errors_total',
      help: 'Accesses to the database that failed, by code of SQLite or PostgreSQL.',
      labelNames: ['code'],
      registers,
    }),
    /** Sets the gauge of the current state to 1 and all others to 0. */
    setStorageState: (state: StorageState) => {
      for (const each of STORAGE_STATES) storageState.set({ state: each }, each === state ? 1 : 0)
    },
    databaseConnections: new Gauge({
      name: 'pis_database_connections',
      help: 'Connections of this replica to PostgreSQL that are in use or idle, and queries that wait for one.',
      labelNames: ['state'],
      registers,
    }),
    databaseConnectionLimit: new Gauge({
      name: 'pis_database_connections_limit',
      help: 'Connections that this replica may open: DATABASE_POOL.',
      registers,
    }),
    databaseWaitSeconds: new Histogram({
      name: 'pis_database_connection_wait_seconds',
      help: 'Time until a query or transaction had a connection to PostgreSQL, by outcome: `connected` or `failed`.',
      labelNames: ['outcome'],
      buckets: SECONDS,
      registers,
    }),
    securityNotices: new Counter({
      name: 'pis_security_notices_total',
      help: 'New identities, passkeys, owners and live keys, which the portal shows to owners.',
      labelNames: ['kind'],
      registers,
    }),
    usageLost: new Counter({
      name: 'pis_usage_lost_total',
      help: 'Requests missing from the usage pages, because their counts could not be written to the database.',
      registers,
    }),
    queueDepth: new Gauge({
      name: 'pis_queue_depth',
      help: 'Calls waiting for a model worker.',
      labelNames: ['role'],
      registers,
    }),
    queueSeconds: new Histogram({
      name: 'pis_queue_duration_seconds',
      help: 'Time a call waited for a model worker.',
      labelNames: ['role'],
      buckets: SECONDS,
      registers,
    }),
    inferenceSeconds: new Histogram({
      name: 'pis_inference_duration_seconds',
      help: 'Time a model worker took for a call.',
      labelNames: ['role', 'method'],
      buckets: SECONDS,
      registers,
    }),
    workerEvents: new Counter({
      name: 'pis_worker_events_total',
      help: 'Starts, crashes, swaps, idle stops and exceeded memory limits of model workers.',
      labelNames: ['role', 'event'],
      registers,
    }),
    workerMemory: new Gauge({
      name: 'pis_worker_resident_memory_bytes',
      help: 'Resident memory of a model worker; absent while it is not running.',
      labelNames: ['role'],
      registers,
    }),
    engines: new Gauge({
      name: 'pis_engines',
      help: 'Whether an engine of LANGUAGE_URL or VISION_URL, by its number there, serves: 1 for the current state, 0 for the other.',
      labelNames: ['role', 'engine', 'state'],
      registers,
    }),
    engineCalls: new Gauge({
      name: 'pis_engine_calls_in_progress',
      help: 'Calls of this replica that an engine works on.',
      labelNames: ['role', 'engine'],
      registers,
    }),
    engineSeconds: new Histogram({
      name: 'pis_engine_call_duration_seconds',
      help: 'Time an engine took for a call, by outcome: `answered`, or why not.',
      labelNames: ['role', 'engine', 'outcome'],
      buckets: SECONDS,
      registers,
    }),
    engineEvents: new Counter({
      name: 'pis_engine_events_total',
      help: 'How often an engine became ready or was ejected.',
      labelNames: ['role', 'engine', 'event'],
      registers,
    }),
    engineRetries: new Counter({
      name: 'pis_engine_retries_total',
      help: 'Calls that an engine did not answer and that were sent once more.',
      labelNames: ['role'],
      registers,
    }),
    openerCandidates: new Counter({
      name: 'pis_opener_candidates_total',
      help: 'Opener candidates by style and outcome of the checks.',
      labelNames: ['style', 'outcome'],
      registers,
    }),
    learningCalls: new Counter({
      name: 'pis_learning_calls_total',
      help: 'Openers calls by arm of the comparison; `none` while learning is off or what was learnt cannot be read.',
      labelNames: ['environment', 'arm'],
      registers,
    }),
    learningFits: new Counter({
      name: 'pis_learning_fits_total',
      help: 'Readings of what an environment has learnt: `fitted` or `failed`.',
      labelNames: ['environment', 'outcome'],
      registers,
    }),
    learningLastFit: new Gauge({
      name: 'pis_learning_last_fit_timestamp_seconds',
      help: 'When what an environment has learnt was last computed.',
      labelNames: ['environment'],
      registers,
    }),
    learningNegative: new Gauge({
      name: 'pis_learning_negative_uplift',
      help: 'Live environments in use whose learnt openers get fewer replies than the control group, with confidence.',
      registers,
    }),
    refusedBios: new Counter({
      name: 'pis_refused_bios_total',
      help: 'Bios that failed the content safety check, by category.',
      labelNames: ['category'],
      registers,
    }),
    photoCache: new Gauge({
      name: 'pis_photo_cache',
      help: 'Cached photo analyses now, and cache hits and misses since the start.',
      labelNames: ['what'],
      registers,
    }),
  }
}
