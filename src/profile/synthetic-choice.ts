import { createHash } from 'node:crypto'

/** A number in [0, 1), derived from the request's body and the purpose alone. */
export function syntheticFraction(body: unknown, purpose: string): number {
  const hash = createHash('sha256')
    .update(JSON.stringify([purpose, body]))
    .digest()
  return hash.readUInt32BE() / 2 ** 32
}

/** An item of a list, chosen by the request's body and the purpose alone. */
export function syntheticChoice<T>(list: readonly T[], body: unknown, purpose: string): T {
  return list[Math.floor(syntheticFraction(body, purpose) * list.length)]!
}
