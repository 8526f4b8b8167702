import { randomBytes } from 'node:crypto'

/** Generates an id with 96 random bits, such as `org_5f0c…`. */
export function newId<Prefix extends 'org' | 'key' | 'acc' | 'inv'>(
  prefix: Prefix,
): `${Prefix}_${string}` {
  return `${prefix}_${randomBytes(12).toString('hex')}`
}
