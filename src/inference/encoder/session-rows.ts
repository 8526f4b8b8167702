import type { Tensor } from 'onnxruntime-node'
import type { ModelSession } from './model-session.js'
import { PackMismatchError } from './pack-mismatch-error.js'

/**
 * Runs a session once and splits its output into rows.
 * @returns one [width] float32 row for each of the items in the batch
 * @throws PackMismatchError when the output is not float32 [count, width]
 */
export async function runForRows(
  session: ModelSession,
  feeds: Record<string, Tensor>,
  { output, count, width, signal }: RowsOptions,
): Promise<Float32Array[]> {
  const tensor = await session.run(feeds, output, signal)
  const [rows, columns] = tensor?.dims ?? []
  const isAsDescribed =
    tensor?.type === 'float32' &&
    tensor.dims.length === 2 &&
    rows === count &&
    columns === (width ?? columns)
  if (!isAsDescribed || !columns) {
    const shape = `${tensor?.type ?? 'nothing'} [${tensor?.dims.join(', ') ?? ''}]`
    throw new PackMismatchError(
      `output ${output} is ${shape} for a batch of ${count}, not float32 [${count}, ${width ?? 'classes'}]`,
    )
  }
  const data = tensor.data as Float32Array
  return Array.from({ length: count }, (_, row) => data.slice(row * columns, (row + 1) * columns))
}

interface RowsOptions {
  output: string
  /** Items in the batch. */
  count: number
  /** Default: any. */
  width?: number | undefined
  signal?: AbortSignal | undefined
}

/** @throws PackMismatchError when the model has other inputs */
export function checkInputs(session: ModelSession, names: readonly string[]): void {
  const expected = [...session.inputNames].sort().join(', ')
  const given = [...names].sort().join(', ')
  if (expected === given) return
  throw new PackMismatchError(`the model takes the inputs ${expected}, not ${given}`)
}

/** Whether the model was exported for one item at a time. */
export function hasFixedBatch(session: ModelSession, input: string): boolean {
  const metadata = session.inputMetadata.find(({ name }) => name === input)
  return metadata?.isTensor === true && metadata.shape[0] === 1
}
