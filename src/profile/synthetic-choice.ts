import { createHash } from 'node:crypto'

/** A number in [0, 1) that depends on nothing but the request's body and the purpose. */
export function syntheticShare(body: unknown, purpose: string): number {
  const hash = createHash('sha256')
    .update(JSON.stringify([purpose, body]))
    .digest()
  return hash.readUInt32BE() / 2 ** 32
}

/** An entry of a list, chosen by the request's body and the purpose alone. */
export function syntheticChoice<T>(list: readonly T[], body: unknown, purpose: string): T {
  return list[Math.floor(syntheticShare(body, purpose) * list.length)]!
}
