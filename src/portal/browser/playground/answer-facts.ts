/** What the status and headers of an answer say. */
export interface AnswerFacts {
  status: number
  requestId: string | undefined
  plan: string | undefined
  capability: string | undefined
  quotaUsed: number | undefined
  quotaIncluded: number | undefined
  /** Whether the soft cap is reached. */
  isQuotaWarned: boolean
  isSynthetic: boolean
  /** Requests left in the current minute. */
  rateRemaining: number | undefined
  retryAfterSeconds: number | undefined
  /** Stages of the call, in the order of `Server-Timing`. */
  timings: { name: string; milliseconds: number }[]
}

export function readAnswerFacts({ status, headers }: Response): AnswerFacts {
  const text = (name: string) => headers.get(name) ?? undefined
  return {
    status,
    requestId: text('x-request-id'),
    plan: text('x-service-plan'),
    capability: text('x-service-capability'),
    quotaUsed: readCount(text('x-service-quota-used')),
    quotaIncluded: readCount(text('x-service-quota-included')),
    isQuotaWarned: headers.has('x-service-quota-warning'),
    isSynthetic: text('x-service-synthetic') === 'true',
    rateRemaining: readCount(/;r=(\d+)/.exec(text('ratelimit') ?? '')?.[1]),
    retryAfterSeconds: readCount(text('retry-after')),
    timings: readServerTiming(text('server-timing') ?? ''),
  }
}

function readCount(text: string | undefined): number | undefined {
  const digits = text?.replaceAll(',', '')
  return digits !== undefined && /^\d+$/.test(digits) ? Number(digits) : undefined
}

/** Source: https://www.w3.org/TR/server-timing/#the-server-timing-header-field */
function readServerTiming(header: string): AnswerFacts['timings'] {
  return header.split(',').flatMap((entry) => {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
    const duration = parameters.find((parameter) => parameter.startsWith('dur='))?.slice(4)
    const milliseconds = Number(duration)
    return name === '' || duration === undefined || !Number.isFinite(milliseconds)
      ? []
      : [{ name, milliseconds }]
  })
}
