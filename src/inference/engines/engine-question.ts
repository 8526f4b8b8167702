/**
 * What the vision worker asks of the server process when its models run on other machines. The worker decodes the photos of strangers and
 * has no network; the server connects, and sends only what fits the models that the worker described before it saw a photo.
 */
export type EngineQuestion =
  | { type: 'describe'; models: EngineModel[] }
  | { type: 'infer'; model: string; inputs: EngineTensor[] }

/** Datatypes of the Open Inference Protocol that the models of packs use. */
export type EngineDatatype = 'FP32' | 'FP16' | 'INT64' | 'INT32'

/** Bytes in the order of rows, little-endian. */
export interface EngineTensor {
  name: string
  datatype: EngineDatatype
  shape: number[]
  bytes: Uint8Array
}

/** A tensor as the ONNX file of a pack declares it. */
export interface TensorSpec {
  name: string
  datatype: EngineDatatype
  /** -1 where any size is allowed. */
  shape: number[]
}

/** [rows, columns] float32, in the order of rows. */
export interface EngineRows {
  rows: number
  columns: number
  data: Float32Array
}

/** Inputs, and what the pack's own file gives for them. */
export interface EngineProbe {
  inputs: EngineTensor[]
  expected: EngineRows
}

/** A model that an engine must have. */
export interface EngineModel {
  /** Name at the engine. */
  name: string
  /** Of the pack; engines may name it in a parameter of the model. */
  packRevision: string
  inputs: TensorSpec[]
  output: TensorSpec
  probes: EngineProbe[]
}

/** The datatype of each input by model and input, as the engines want it; the answer to `describe`. */
export type EngineFormats = Record<string, Record<string, EngineDatatype>>
