/** A source failed to provide a file; the next source is tried. */
export class SourceError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'SourceError'
  }
}
