/** A refused visit, shown as a page; `message` says what to do. */
export class Refusal extends Error {
  readonly status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 421 | 429 | 503
  readonly title: string
  readonly retryAfterSeconds: number | undefined

  constructor(
    status: Refusal['status'],
    text: { title: string; message: string; retryAfterSeconds?: number },
  ) {
    super(text.message)
    this.status = status
    this.title = text.title
    this.retryAfterSeconds = text.retryAfterSeconds
  }
}

export function notFound(): Refusal {
  return new Refusal(404, {
    title: 'There is nothing here',
    message: 'The page does not exist, or it belongs to another organisation.',
  })
}
