import { z } from 'zod'
import type { EngineClient } from '../engine-client.js'
import { EngineError, failureOfStatus } from '../engine-error.js'
import type { EngineRows, EngineTensor } from '../engine-question.js'
import { readFloats } from '../tensor-formats.js'

/** Header that separates the JSON of a body from the binary tensors behind it: the binary tensor data extension. */
const JSON_LENGTH = 'inference-header-content-length'
const MAX_JSON_BYTES = 65_536
/** Of a batch of texts with the widest embeddings, in float32, a few hundred kilobytes. */
const MAX_ROWS_BYTES = 16 * 1024 ** 2

/** A model of an engine, and the version that was verified. */
export interface ModelAddress {
  name: string
  /** Undefined where the engine has no versions. */
  version: string | undefined
}

const responseHeader = z.object({
  model_version: z.string().optional(),
  outputs: z
    .array(
      z.object({
        name: z.string(),
        datatype: z.enum(['FP32', 'FP16']),
        shape: z.tuple([z.int().min(1), z.int().min(1)]),
        parameters: z.object({ binary_data_size: z.int().min(0) }).optional(),
        data: z.array(z.number()).optional(),
      }),
    )
    .length(1),
})

export function modelPath({ name, version }: ModelAddress): string {
  const model = `/v2/models/${encodeURIComponent(name)}`
  return version === undefined ? model : `${model}/versions/${encodeURIComponent(version)}`
}

/**
 * Runs a model: Open Inference Protocol 2 over HTTP, with the extension for binary tensors.
 * @returns the rows of the output
 * @throws EngineError; the abort reason
 * Source: kserve/open-inference-protocol, specification/protocol/inference_rest.md; triton-inference-server/server,
 *   docs/protocol/extension_binary_data.md
 */
export async function infer(
  client: EngineClient,
  model: ModelAddress,
  {
    inputs,
    output,
    signal,
  }: { inputs: readonly EngineTensor[]; output: string; signal: AbortSignal },
): Promise<EngineRows> {
  const json = Buffer.from(
    JSON.stringify({
      inputs: inputs.map(({ name, datatype, shape, bytes }) => ({
        name,
        datatype,
        shape,
        parameters: { binary_data_size: bytes.byteLength },
      })),
      outputs: [{ name: output, parameters: { binary_data: true } }],
    }),
  )
  const response = await client.send({
    method: 'POST',
    path: `${modelPath(model)}/infer`,
    headers: { 'content-type': 'application/octet-stream', [JSON_LENGTH]: json.byteLength },
    body: [json, ...inputs.map(({ bytes }) => bytes)],
    signal,
    maxBytes: MAX_JSON_BYTES + MAX_ROWS_BYTES,
  })
  // The body of a failure may quote the request.
  if (response.status !== 200) {
    const { status } = response
    throw new EngineError(failureOfStatus(status), `answered ${status} for the model ${model.name}`)
  }
  const jsonLength = response.headers[JSON_LENGTH]
  return readResponse(response.body, jsonLength === undefined ? undefined : Number(jsonLength), {
    model,
    output,
    rows: inputs[0]?.shape[0] ?? 0,
  })
}

function readResponse(
  body: Buffer,
  jsonLength: number | undefined,
  { model, output, rows }: { model: ModelAddress; output: string; rows: number },
): EngineRows {
  const header = responseHeader.safeParse(parseJson(body.subarray(0, jsonLength)))
  const found = header.data?.outputs[0]
  const isAsAsked =
    found?.name === output &&
    found.shape[0] === rows &&
    // Another version than the verified one may be another model.
    (model.version ?? header.data?.model_version) === header.data?.model_version
  if (!isAsAsked) throw malformed(model)
  const columns = found.shape[1]
  const data =
    jsonLength === undefined || found.parameters === undefined
      ? Float32Array.from(found.data ?? [])
      : readFloats(found.datatype, body.subarray(jsonLength))
  if (data.length !== rows * columns) throw malformed(model)
  return { rows, columns, data }
}

function malformed({ name }: ModelAddress): EngineError {
  return new EngineError(
    'malformed',
    `sent an answer that does not fit the protocol for the model ${name}`,
  )
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}
