import PQueue from 'p-queue'
import type { Log } from '../../../telemetry/log.js'
import { createEngineClient, type EngineClient } from '../engine-client.js'
import { EngineError } from '../engine-error.js'
import { EnginePool } from '../engine-pool.js'
import type { EngineLoad, EngineReport } from '../engine-report.js'
import type { PoolTimes } from '../pooled-engine.js'
import { reportVisionEngine } from '../report-vision-engine.js'
import type {
  EngineDatatype,
  EngineFormats,
  EngineModel,
  EngineQuestion,
  EngineRows,
  EngineTensor,
} from '../engine-question.js'
import { BYTES_OF, convertTensor, countItems } from '../tensor-formats.js'
import { isSameOutput } from './compare-rows.js'
import { infer, modelPath, type ModelAddress } from './infer.js'
import { readModelFormat } from './metadata.js'

export interface KServeEngineOptions {
  urls: readonly string[]
  apiKey: string | undefined
  /** Requests to all engines at a time. */
  concurrency: number
  log: Log
  report?: EngineReport | undefined
  times?: Partial<PoolTimes> | undefined
}

/** Answers the questions of one vision worker from engines, for as long as the worker lives. */
export interface KServeEngine {
  /** @throws EngineError; the abort reason */
  answer: (question: EngineQuestion, signal: AbortSignal) => Promise<EngineFormats | EngineRows>
  /** Why no engine serves; undefined while one does. */
  problem: () => string | undefined
  /** Engines that serve, of all. */
  serving: () => { count: number; of: number }
  load: () => EngineLoad[]
  close: () => void
}

interface Engine {
  name: string
  client: EngineClient
  /** Of the models that were verified. */
  addresses: Map<string, ModelAddress>
}

const ATTEMPT_MS = 10_000
/** No batch of a pack is as large; a worker that asks for more is not itself. */
const MAX_INPUT_BYTES = 256 * 1024 ** 2

/**
 * The worker describes its models once, with probes that its own files have answered. An engine serves when names, datatypes and shapes are
 * those of the pack, no other revision is declared, and every probe gives the same rows.
 */
export function createKServeEngine(options: KServeEngineOptions): KServeEngine {
  const { urls, apiKey, concurrency, log, report, times } = options
  const engines = urls.map((url): Engine => ({
    name: url,
    client: createEngineClient({ baseUrl: url, apiKey, connections: concurrency }),
    addresses: new Map(),
  }))
  let models: ReadonlyMap<string, EngineModel> | undefined
  let formats: EngineFormats | undefined
  const queue = new PQueue({ concurrency })
  const pool = new EnginePool<Engine>({
    engines,
    verify,
    check,
    report,
    times: { attemptMs: ATTEMPT_MS, ...times },
    onChange: ({ name }, change) => reportVisionEngine(log, name, change),
  })

  async function verify(engine: Engine, signal: AbortSignal): Promise<void> {
    const isKnown = engine.addresses.size > 0
    const addresses = new Map<string, ModelAddress>()
    const found: EngineFormats = {}
    for (const model of models!.values()) {
      const { name, version, inputs } = await readModelFormat(engine.client, model, signal)
      addresses.set(name, { name, version })
      found[name] = inputs
    }
    for (const model of models!.values()) {
      const address = addresses.get(model.name)!
      const { version } = engine.addresses.get(model.name) ?? {}
      // While a backend serves, one probe of an unchanged version tells whether it was replaced.
      const probes =
        isKnown && version === address.version ? model.probes.slice(0, 1) : model.probes
      await runProbes(engine, { model, address, inputs: found[model.name]!, probes }, signal)
    }
    formats ??= found
    if (!hasSameFormats(formats, found)) {
      throw new EngineError('mismatch', 'takes other datatypes than the engines before it')
    }
    engine.addresses = addresses
  }

  async function check({ client }: Engine, signal: AbortSignal): Promise<void> {
    const path = '/v2/health/ready'
    const { status } = await client.send({ method: 'GET', path, signal, maxBytes: 65_536 })
    if (status !== 200) throw new EngineError('refused', `is not ready (${status})`)
  }

  async function describe(described: readonly EngineModel[]): Promise<EngineFormats> {
    if (models) throw new Error('the models are described already')
    models = new Map(described.map((model) => [model.name, model]))
    await pool.start()
    return formats!
  }

  function run(name: string, inputs: readonly EngineTensor[], signal: AbortSignal) {
    const model = models?.get(name)
    const wanted = formats?.[name]
    if (!model || !wanted || !fitsModel(model, wanted, inputs)) {
      throw new Error('a vision worker asked for what it has not described')
    }
    const request = { inputs, output: model.output.name }
    const ask = ({ client, addresses }: Engine, limited: AbortSignal) =>
      infer(client, addresses.get(name)!, { ...request, signal: limited })
    return queue.add(() => pool.run(ask, { signal }), { signal })
  }

  return {
    answer: async (question, signal) =>
      question.type === 'describe'
        ? describe(question.models)
        : run(question.model, question.inputs, signal),
    problem: () => (models === undefined ? 'the models are loading' : pool.problem),
    serving: () => ({ count: pool.serving, of: pool.size }),
    load: () => pool.load,
    close: () => {
      pool.close()
      for (const { client } of engines) client.close()
    },
  }
}

interface ProbeRun {
  model: EngineModel
  address: ModelAddress
  inputs: Record<string, EngineDatatype>
  probes: EngineModel['probes']
}

async function runProbes(
  { client }: Engine,
  { model, address, inputs: formats, probes }: ProbeRun,
  signal: AbortSignal,
): Promise<void> {
  for (const { inputs, expected } of probes) {
    const converted = inputs.map((tensor) => convertTensor(tensor, formats[tensor.name]!))
    const rows = await infer(client, address, {
      inputs: converted,
      output: model.output.name,
      signal,
    })
    if (isSameOutput(rows, expected)) continue
    throw new EngineError(
      'mismatch',
      `has another model ${model.name} than the pack: its output for the same input differs (${modelPath(address)})`,
    )
  }
}

function hasSameFormats(left: EngineFormats, right: EngineFormats): boolean {
  return Object.entries(left).every(([model, inputs]) =>
    Object.entries(inputs).every(([input, datatype]) => right[model]?.[input] === datatype),
  )
}

/** Whether a request is one that this model may get: the worker decodes what strangers send, and might be theirs. */
function fitsModel(
  model: EngineModel,
  formats: Record<string, EngineDatatype>,
  inputs: readonly EngineTensor[],
): boolean {
  const total = inputs.reduce((sum, { bytes }) => sum + bytes.byteLength, 0)
  const rows = inputs[0]?.shape[0]
  return (
    inputs.length === model.inputs.length &&
    total <= MAX_INPUT_BYTES &&
    model.inputs.every((spec) => {
      const tensor = inputs.find(({ name }) => name === spec.name)
      return (
        tensor !== undefined &&
        tensor.datatype === formats[spec.name] &&
        tensor.shape.length === spec.shape.length &&
        tensor.shape[0] === rows &&
        tensor.shape.every(
          (size, axis) =>
            Number.isInteger(size) && size > 0 && [-1, size].includes(spec.shape[axis]!),
        ) &&
        tensor.bytes.byteLength === countItems(tensor.shape) * BYTES_OF[tensor.datatype]
      )
    })
  )
}
