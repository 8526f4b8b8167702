/** Why one source did not give a file; the next one is tried. */
export class SourceError extends Error {
  constructor(message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'SourceError'
  }
}
