import type { EngineName } from '../../config/language-engine-settings.js'
import type { EngineClient } from '../../inference/engines/engine-client.js'

/** Texts at an engine, of all its clients. */
export interface EngineLoad {
  running: number
  waiting: number
}

/**
 * Names of the gauges of each engine. Source: vLLM, docs/usage/metrics.md; SGLang, docs/references/production_metrics.md; llama.cpp,
 * tools/server/README.md
 */
const GAUGES: Record<EngineName, Record<keyof EngineLoad, string>> = {
  vllm: { running: 'vllm:num_requests_running', waiting: 'vllm:num_requests_waiting' },
  sglang: { running: 'sglang:num_running_reqs', waiting: 'sglang:num_queue_reqs' },
  'llama-server': {
    running: 'llamacpp:requests_processing',
    waiting: 'llamacpp:requests_deferred',
  },
}
/** vLLM's histograms have some hundred kilobytes. */
const MAX_METRICS_BYTES = 4 * 1024 ** 2

/**
 * Reads how busy a language engine is from its Prometheus metrics.
 * @returns undefined where it has none: llama-server needs `--metrics`, SGLang `--enable-metrics`
 */
export async function readEngineLoad(
  client: EngineClient,
  engine: EngineName,
  signal: AbortSignal,
): Promise<EngineLoad | undefined> {
  const request = { method: 'GET', path: '/metrics', signal, maxBytes: MAX_METRICS_BYTES } as const
  const response = await client.send(request).catch(() => undefined)
  if (response?.status !== 200) return undefined
  const text = response.body.toString('utf8')
  const { running, waiting } = GAUGES[engine]
  const load = { running: sumGauge(text, running), waiting: sumGauge(text, waiting) }
  return load.running === undefined || load.waiting === undefined
    ? undefined
    : { running: load.running, waiting: load.waiting }
}

/** Of all label values: processes and adapters have gauges of their own. */
function sumGauge(text: string, name: string): number | undefined {
  const values = text
    .split('\n')
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .map((line) => Number(line.slice(line.lastIndexOf(' '))))
  if (values.length === 0 || values.some(Number.isNaN)) return undefined
  return values.reduce((sum, value) => sum + value, 0)
}
