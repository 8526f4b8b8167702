import { isSameRow } from './same-row.js'

/**
 * Finds the largest batch in which items do not change each other's rows: `limit`, or 1. Dynamically quantised models scale
 * activations by the maximum of the batch, and towers without an attention mask see the padding of longer neighbours (clip-lite's
 * captions move to a cosine of 0.977). Such models run one item at a time, so that an answer never depends on other callers.
 * @param probe - an item with small values, or a short one
 * @param neighbour - an item with large values, or a long one
 */
export async function findBatchLimit<I>(
  run: (batch: readonly I[]) => Promise<Float32Array[]>,
  { probe, neighbour, limit }: { probe: I; neighbour: I; limit: number },
): Promise<number> {
  const [alone] = await run([probe])
  if (limit === 1) return 1
  const [together] = await run([probe, neighbour])
  return alone && together && isSameRow(alone, together) ? limit : 1
}
