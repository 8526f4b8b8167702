import type { Tensor } from 'onnxruntime-node'
import type {
  EngineDatatype,
  EngineFormats,
  EngineModel,
  EngineProbe,
  EngineQuestion,
  EngineRows,
  EngineTensor,
} from '../engines/engine-question.js'
import { bytesOf, convertTensor } from '../engines/tensor-formats.js'
import type { ServerChannel } from '../workers/worker-runtime.js'
import type { ModelOutput, ModelSession } from './model-session.js'
import { PackMismatchError } from './pack-mismatch-error.js'

/** A session that moves to an engine. */
export interface EngineSession extends ModelSession {
  /** What the engine must have, with the runs so far as its probes. */
  describe(): EngineModel
  /** Runs at the engine from now on, and frees the memory of the local model. */
  moveTo(server: ServerChannel, formats: Record<string, EngineDatatype>): Promise<void>
}

/**
 * Runs a model of a pack here while the pack is opened, and records it: those runs are what an engine must repeat. Then the engine runs it.
 * @param name - of the model at the engine
 */
export function engineSession(
  local: ModelSession,
  { name, packRevision }: { name: string; packRevision: string },
): EngineSession {
  const { inputNames, inputMetadata } = local
  const probes: EngineProbe[] = []
  let output: string | undefined
  let remote: { server: ServerChannel; formats: Record<string, EngineDatatype> } | undefined

  async function probe(feeds: Record<string, Tensor>, wanted: string) {
    const result = await local.run(feeds, wanted)
    // What does not fit is refused by the caller, which knows the width.
    if (result?.type === 'float32' && result.dims.length === 2) {
      const [rows, columns] = result.dims as [number, number]
      // Copies: models share their memory between runs.
      const inputs = toTensors(feeds).map((tensor) => ({ ...tensor, bytes: tensor.bytes.slice() }))
      probes.push({
        inputs,
        expected: { rows, columns, data: (result.data as Float32Array).slice() },
      })
      output = wanted
    }
    return result
  }

  return {
    inputNames,
    inputMetadata,
    run: async (feeds, wanted, signal) => {
      if (!remote) return probe(feeds, wanted)
      const { server, formats } = remote
      const inputs = toTensors(feeds).map((tensor) => convertTensor(tensor, formats[tensor.name]!))
      const question: EngineQuestion = { type: 'infer', model: name, inputs }
      return toOutput((await server.ask(question, signal)) as EngineRows)
    },
    describe: () => {
      if (output === undefined) throw new PackMismatchError(`the model ${name} was never run`)
      const inputs = inputMetadata.map((metadata) => {
        const datatype = metadata.isTensor ? DATATYPES[metadata.type] : undefined
        if (!metadata.isTensor || !datatype) {
          throw new PackMismatchError(`engines cannot take the input ${metadata.name}`)
        }
        const shape = metadata.shape.map((size) => (typeof size === 'number' ? size : -1))
        return { name: metadata.name, datatype, shape }
      })
      const shape = [-1, probes[0]!.expected.columns]
      return {
        name,
        packRevision,
        inputs,
        output: { name: output, datatype: 'FP32', shape },
        probes: probes.splice(0),
      }
    },
    moveTo: async (server, formats) => {
      remote = { server, formats }
      await local.release()
    },
    release: async () => {
      if (!remote) await local.release()
    },
  }
}

/**
 * Lets the engines verify all models, then moves all sessions to them.
 * @throws Error when no engine has the models; the message names the reason of each
 */
export async function moveToEngines(
  sessions: readonly EngineSession[],
  server: ServerChannel,
): Promise<void> {
  const models = sessions.map((session) => session.describe())
  const question: EngineQuestion = { type: 'describe', models }
  const formats = (await server.ask(question)) as EngineFormats
  for (const [index, session] of sessions.entries()) {
    await session.moveTo(server, formats[models[index]!.name]!)
  }
}

const DATATYPES: Partial<Record<string, EngineDatatype>> = { float32: 'FP32', int64: 'INT64' }

function toTensors(feeds: Record<string, Tensor>): EngineTensor[] {
  return Object.entries(feeds).map(([name, { type, dims, data }]) => ({
    name,
    datatype: DATATYPES[type]!,
    shape: [...dims],
    bytes: bytesOf(data as Float32Array | BigInt64Array),
  }))
}

function toOutput({ rows, columns, data }: EngineRows): ModelOutput {
  return { type: 'float32', dims: [rows, columns], data }
}
