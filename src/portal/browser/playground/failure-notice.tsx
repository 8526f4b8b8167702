import { InlineCode } from '../../components/inline-code.js'
import type { Failure } from './run.js'

interface FailureNoticeProps {
  failure: Failure
  errorMeanings: Record<string, string>
}

/** An error as the partner's code receives it, and what to do about it. */
export function FailureNotice({ failure, errorMeanings }: FailureNoticeProps) {
  const { code, message, status, requestId, retryAfterSeconds } = failure
  if (code === 'no_answer') {
    return (
      <div class="notice danger">
        <div class="stack">
          <h3>No answer</h3>
          <p>
            {message} Check the network and whether the service is running. The call is safe to
            retry.
          </p>
        </div>
      </div>
    )
  }
  return (
    <div class="notice danger">
      <div class="stack">
        <h3>
          {status} <code>{code}</code>
        </h3>
        <p>{message}</p>
        <p>
          <InlineCode text={errorMeanings[code] ?? ''} />
          {retryAfterSeconds !== undefined && ` Retry after ${retryAfterSeconds} s.`}
        </p>
        <pre class="code" tabIndex={0} aria-label="The body of the answer">
          {JSON.stringify({ error: code, message, request_id: requestId }, null, 2)}
        </pre>
      </div>
    </div>
  )
}
