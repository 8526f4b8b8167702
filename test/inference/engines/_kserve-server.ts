import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { VisionSettings } from '../../../src/inference/encoder/vision-settings.js'

export interface ServedModel {
  name: string
  file: string
  version?: string
  /** Declares and takes half floats in place of float32. */
  half?: boolean
  maxBatch?: number
  inputShapes?: Record<string, number[]>
  /** Of the model configuration; undefined: the server has none. */
  parameters?: Record<string, unknown>
}

export interface ServerBehaviour {
  /** Answers everything with this status. */
  status?: number | null
  /** Answers nothing. */
  hang?: boolean
  /** Sends 64 MiB too much. */
  flood?: boolean
  /** Serves this version in place of that of the models. */
  version?: string | null
  /** Name of a model whose output has the wrong sign. */
  lie?: string | null
}

export interface KServeServer {
  url: string
  port: number
  behave(behaviour: ServerBehaviour): Promise<void>
  /** Requests for inference, bytes of their bodies, and requests that the client left. */
  counts(): Promise<{ infer: number; bytes: number; aborted: number }>
  kill(): Promise<void>
}

export interface KServeServerOptions {
  models: readonly ServedModel[]
  apiKey?: string
  port?: number
}

const fixture = fileURLToPath(new URL('fixtures/kserve-server.js', import.meta.url))

/** Starts a server of the Open Inference Protocol in a process of its own. */
export async function startKServeServer(options: KServeServerOptions): Promise<KServeServer> {
  const child = fork(fixture, [], { execArgv: [], env: {} })
  const ask = async <T>(message: object): Promise<T> => {
    child.send(message)
    const [answer] = (await once(child, 'message')) as [T]
    return answer
  }
  const { port } = await ask<{ port: number }>({ type: 'start', ...options })
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    behave: async (behaviour) => {
      await ask({ type: 'behave', behaviour })
    },
    counts: async () =>
      (await ask<{ counts: { infer: number; bytes: number; aborted: number } }>({ type: 'count' }))
        .counts,
    kill: () => kill(child),
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** The models of packs, under the names that the service asks for. */
export function modelsOf({ clip, photoSafety, bioSafety, match }: VisionSettings): ServedModel[] {
  return [
    { name: `${clip.name}-vision`, file: clip.clip.vision.model },
    { name: `${clip.name}-text`, file: clip.clip.text.model },
    { name: photoSafety.name, file: photoSafety.photoSafety.model },
    { name: bioSafety.name, file: bioSafety.bioSafety.text.model },
    { name: match.name, file: match.match.text.model },
  ]
}
