import { serveTask } from './child-task.js'
import { startHealthProbe, type HealthSummary } from './health-probe.js'

/** Probes in a process of its own, whose event loop does nothing else. */
await serveTask<string, HealthSummary>((baseUrl) => Promise.resolve(startHealthProbe(baseUrl)))
