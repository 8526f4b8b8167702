import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40]

export type Metrics = ReturnType<typeof createMetrics>

/** The Prometheus metrics of the service. Labels come from closed sets, never from what a client sent. */
export function createMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 10 })
  const registers = [registry]
  const readings: (() => void)[] = []
  return {
    registry,
    /** Adds what brings gauges up to date before they are read. */
    beforeRead: (reading: () => void) => void readings.push(reading),
    /** All metrics in Prometheus' text format. */
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
      help: 'Time from the first byte of a request to the last of its answer.',
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
      help: 'Requests whose work has begun and not ended.',
      labelNames: ['capability'],
      registers,
    }),
    requestsWaiting: new Gauge({
      name: 'pis_requests_waiting',
      help: 'Requests that wait for their work to begin.',
      labelNames: ['capability'],
      registers,
    }),
    admissionSeconds: new Histogram({
      name: 'pis_admission_duration_seconds',
      help: 'Time a request waited for its work to begin.',
      labelNames: ['capability'],
      buckets: SECONDS,
      registers,
    }),
    usageLost: new Counter({
      name: 'pis_usage_lost_total',
      help: 'Requests that the portal does not show, because the database refused their counts for too long.',
      registers,
    }),
    queueDepth: new Gauge({
      name: 'pis_queue_depth',
      help: 'Calls that wait for a model worker.',
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
      help: 'Starts, crashes, swaps, idle ends and outgrown memory limits of model workers.',
      labelNames: ['role', 'event'],
      registers,
    }),
    workerMemory: new Gauge({
      name: 'pis_worker_resident_memory_bytes',
      help: 'Resident memory of a model worker; none while there is no worker.',
      labelNames: ['role'],
      registers,
    }),
    openerCandidates: new Counter({
      name: 'pis_opener_candidates_total',
      help: 'Opener candidates by style and by the outcome of the checks.',
      labelNames: ['style', 'outcome'],
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
      help: 'Photo analyses kept now, and answered from memory (hit) or computed (miss) since the start.',
      labelNames: ['what'],
      registers,
    }),
  }
}
