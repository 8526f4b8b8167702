import { isSameRow } from './same-row.js'

/**
 * The largest batch in which items do not change each other's rows: `limit`, or 1. Models quantised
 * dynamically scale activations by the largest of the whole batch, and towers without an attention mask see the
 * padding of longer neighbours: in a batch, clip-lite's captions moved to a cosine of 0.977. Such models
 * run one item at a time, so that an answer never depends on who else asks.
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
