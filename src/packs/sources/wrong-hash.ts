import type { ExpectedFile } from '../pins.js'
import { SourceError } from './source-error.js'

/** The refusal of a file that is not the one described. */
export function wrongHash(sha256: string, expected: ExpectedFile): SourceError {
  const advice =
    expected.statedBy === 'models.lock.json'
      ? '. If the publisher changed it and you trust that, delete its entry in models.lock.json'
      : ''
  return new SourceError(
    `the file there has the sha256 ${sha256}, ${expected.statedBy ?? 'pack.json'} has ` +
      `${expected.sha256}; it was not kept${advice}`,
  )
}
