import { z } from 'zod'
import type { EngineDatatype, EngineModel, TensorSpec } from '../engine-question.js'
import type { EngineClient } from '../engine-client.js'
import { EngineError } from '../engine-error.js'
import { canConvert } from '../tensor-formats.js'
import { modelPath, type ModelAddress } from './infer.js'

/** Where an engine names the revision of a pack: a parameter of the model. */
export const REVISION_PARAMETER = 'pack_revision'
const MAX_METADATA_BYTES = 262_144

/** What an engine has, as far as requests depend on it. */
export interface EngineModelFormat extends ModelAddress {
  /** Datatype by input. */
  inputs: Record<string, EngineDatatype>
}

const size = z.coerce.number().int().min(-1)
const tensors = z.array(z.object({ name: z.string(), datatype: z.string(), shape: z.array(size) }))
// KServe writes plain values, Triton `{ string_value }`.
const parameters = z.record(
  z.string(),
  z.union([
    z.object({ string_value: z.string() }).transform(({ string_value: value }) => value),
    z.unknown(),
  ]),
)
const modelMetadata = z.object({
  versions: z.array(z.string()).nullish(),
  inputs: tensors,
  outputs: tensors,
  parameters: parameters.nullish(),
})
const modelConfiguration = z.object({ parameters: parameters.nullish() })

/**
 * Reads what an engine says of a model and compares it with the pack.
 * @throws EngineError with the first difference
 * Source: inference_rest.md, "Model Metadata"; the model configuration extension of Triton for its parameters
 */
export async function readModelFormat(
  client: EngineClient,
  model: EngineModel,
  signal: AbortSignal,
): Promise<EngineModelFormat> {
  const { name } = model
  const { inputs, outputs, versions } = await readMetadata(client, model, signal)
  compareTensors(model, inputs, model.inputs)
  // An export may give more outputs than the pack uses.
  const output = outputs.filter((tensor) => tensor.name === model.output.name)
  compareTensors(model, output, [model.output])
  const version = newest(versions ?? [])
  return {
    name,
    version,
    inputs: Object.fromEntries(
      inputs.map((tensor) => [tensor.name, tensor.datatype as EngineDatatype]),
    ),
  }
}

/**
 * Reads what an engine says of a model, and compares the revision that it declares, if it does.
 * @throws EngineError
 */
export async function readMetadata(
  client: EngineClient,
  { name, packRevision }: Pick<EngineModel, 'name' | 'packRevision'>,
  signal: AbortSignal,
): Promise<z.infer<typeof modelMetadata>> {
  const unversioned = modelPath({ name, version: undefined })
  const metadata = modelMetadata.safeParse(await get(client, unversioned, signal))
  if (!metadata.success) {
    throw new EngineError('mismatch', `has no model ${name}, or no metadata of it`)
  }
  const version = newest(metadata.data.versions ?? [])
  const declared =
    metadata.data.parameters?.[REVISION_PARAMETER] ??
    modelConfiguration.safeParse(
      await get(client, `${modelPath({ name, version })}/config`, signal),
    ).data?.parameters?.[REVISION_PARAMETER]
  if (declared === undefined || declared === packRevision) return metadata.data
  throw new EngineError(
    'mismatch',
    `has another revision of the model ${name} than the pack's ${packRevision}`,
  )
}

/** @returns the JSON; undefined when there is none */
async function get(client: EngineClient, path: string, signal: AbortSignal): Promise<unknown> {
  const response = await client.send({ method: 'GET', path, signal, maxBytes: MAX_METADATA_BYTES })
  if (response.status === 401 || response.status === 403) {
    throw new EngineError(
      'refused',
      `refused the key (${response.status}): see VISION_API_KEY_FILE`,
    )
  }
  if (response.status !== 200) return undefined
  try {
    return JSON.parse(response.body.toString('utf8'))
  } catch {
    return undefined
  }
}

function compareTensors(
  { name: model }: EngineModel,
  given: z.infer<typeof tensors>,
  wanted: readonly TensorSpec[],
): void {
  const names = (list: readonly { name: string }[]) =>
    list
      .map(({ name }) => name)
      .sort()
      .join(', ')
  if (names(given) !== names(wanted)) {
    throw new EngineError(
      'mismatch',
      `has a model ${model} with the tensors ${shorten(names(given)) || 'none'} in place of ${names(wanted)}`,
    )
  }
  for (const spec of wanted) {
    const tensor = given.find(({ name }) => name === spec.name)!
    const fits =
      canConvert(spec.datatype, tensor.datatype) &&
      tensor.shape.length === spec.shape.length &&
      // Free where the pack is free: a fixed batch would refuse larger ones.
      tensor.shape.every((length, axis) => length === -1 || length === spec.shape[axis])
    if (fits) continue
    throw new EngineError(
      'mismatch',
      `has a model ${model} whose ${spec.name} is ${shorten(describeTensor(tensor))} in place of ${describeTensor(spec)}`,
    )
  }
}

function describeTensor({ datatype, shape }: { datatype: string; shape: number[] }): string {
  return `${datatype} [${shape.join(', ')}]`
}

/** Engines are trusted with photos, not with the length of lines in the log. */
function shorten(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, 200)
}

function newest(versions: readonly string[]): string | undefined {
  return versions.toSorted((left, right) => Number(left) - Number(right)).at(-1)
}
