import { InvalidArgumentError } from 'commander'

/** Parses the positive integer of a command-line option. */
export function parseCount(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('Write a whole number from 1.')
  return Number(value)
}
