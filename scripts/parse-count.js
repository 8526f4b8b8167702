import { InvalidArgumentError } from 'commander'

/** An option's whole number from 1. */
export function parseCount(/** @type {string} */ value) {
  if (!/^[1-9]\d{0,8}$/.test(value)) throw new InvalidArgumentError('Write a whole number from 1.')
  return Number(value)
}
