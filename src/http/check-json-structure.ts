import { ServiceError } from '../core/service-error.js'

/**
 * Bounds on JSON before it is parsed. The largest valid body, a thousand events, has 25 structural characters an event and five
 * levels; text and photos are inside strings.
 */
const MAX_STRUCTURE = 100_000
const MAX_DEPTH = 32
/** Bytes outside strings: structure, numbers and white space. */
const MAX_BYTES_OUTSIDE_STRINGS = 4 * 1024 * 1024

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])
const SEPARATORS = new Set([0x2c, 0x3a])

/**
 * Refuses JSON whose parsing would block the event loop or multiply its size in memory: a few kilobytes of compressed brackets
 * can stand for gigabytes of objects. Strings are skipped at memory speed, so a body of photos takes a few milliseconds.
 * @throws ServiceError `invalid_request`
 */
export function checkJsonStructure(bytes: Uint8Array): void {
  let depth = 0
  let structure = 0
  let outside = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    if (byte === QUOTE) {
      const end = endOfString(bytes, i, MAX_STRUCTURE - structure)
      structure += end.quotes
      i = end.index
    } else {
      if (OPENING.has(byte)) depth += 1
      else if (CLOSING.has(byte)) depth -= 1
      if (OPENING.has(byte) || CLOSING.has(byte) || SEPARATORS.has(byte)) structure += 1
      outside += 1
    }
    if (depth > MAX_DEPTH) throw tooComplex('is nested too deeply')
    if (structure > MAX_STRUCTURE || outside > MAX_BYTES_OUTSIDE_STRINGS) {
      throw tooComplex('has too many values')
    }
  }
}

/** Finds the closing quote of a string; stops after so many escaped quotes. */
function endOfString(bytes: Uint8Array, start: number, maxQuotes: number) {
  let index = start
  for (let quotes = 1; ; quotes++) {
    index = bytes.indexOf(QUOTE, index + 1)
    if (index < 0) return { index: bytes.length, quotes }
    let backslashes = 0
    while (bytes[index - 1 - backslashes] === BACKSLASH) backslashes += 1
    if (backslashes % 2 === 0 || quotes > maxQuotes) return { index, quotes }
  }
}

function tooComplex(problem: string): ServiceError {
  return new ServiceError('invalid_request', `The JSON body ${problem}. See /docs for its shape.`)
}
