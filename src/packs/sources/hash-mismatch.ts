import type { ExpectedFile } from '../pins.js'
import { SourceError } from './source-error.js'

/** Creates the error for a file whose hash is not the expected one. */
export function hashMismatch(sha256: string, expected: ExpectedFile): SourceError {
  const advice =
    expected.statedBy === 'models.lock.json'
      ? '. If the publisher changed the file and you trust the change, delete its entry in models.lock.json'
      : ''
  return new SourceError(
    `the file has sha256 ${sha256}, but ${expected.statedBy ?? 'pack.json'} states ` +
      `${expected.sha256}; it was discarded${advice}`,
  )
}
