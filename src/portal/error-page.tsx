import type { ErrorRequestHandler } from 'express'
import { AdminError, type AdminErrorCode } from '../core/admin-error.js'
import { toServiceError } from '../core/to-service-error.js'
import { describeError } from '../telemetry/log.js'
import { traceOf } from '../telemetry/request-trace.js'
import { Page, PlainPage } from './layout.js'
import { notFound, Refusal } from './refusal.js'
import { page } from './reply.js'
import { sendReply } from './send-reply.js'
import {
  startVisit,
  startVisitWithoutSession,
  toMemberVisit,
  type PortalParts,
} from './start-visit.js'

/** The portal's last middleware: turns anything thrown into a page. */
export function answerWithErrorPage(parts: PortalParts): ErrorRequestHandler {
  return async (thrown: unknown, request, response, next) => {
    if (response.headersSent) return next(thrown)
    const trace = traceOf(response)
    const refusal = toRefusal(thrown)
    if (!refusal) {
      trace.errorCode = 'internal_error'
      const { requestId: request_id, route } = trace
      const details = { request_id, route, ...describeError(thrown) }
      parts.services.log.error('unexpected failure', details)
    }
    const { status = 500, title = 'Something went wrong', message = UNEXPECTED } = refusal ?? {}
    if (refusal?.retryAfterSeconds !== undefined) {
      response.setHeader('Retry-After', String(refusal.retryAfterSeconds))
    }
    // The session may be what could not be read.
    const visit =
      status === 503 ? startVisitWithoutSession(parts, request) : await startVisit(parts, request)
    const text = <ErrorText message={message} requestId={trace.requestId} />
    const document =
      visit.session === undefined ? (
        <PlainPage visit={visit} title={title}>
          {text}
        </PlainPage>
      ) : (
        <Page visit={await toMemberVisit(visit, visit.session)} title={title}>
          {text}
        </Page>
      )
    sendReply(response, page(document, status))
  }
}

const UNEXPECTED =
  'The page could not be loaded. Try again. If it keeps failing, send the operator the number below.'

function ErrorText({ message, requestId }: { message: string; requestId: string }) {
  return (
    <div class="card error-text">
      <p>{message}</p>
      <p class="muted">
        Request <code>{requestId}</code>
      </p>
      <p>
        <a class="button" href="/portal">
          Go to the overview
        </a>
      </p>
    </div>
  )
}

const STATUS_OF: Record<AdminErrorCode, Refusal['status']> = {
  not_found: 404,
  name_taken: 409,
  invalid: 400,
  not_possible: 409,
  changed_meanwhile: 409,
}

/** Undefined for an unexpected error. */
function toRefusal(thrown: unknown): Refusal | undefined {
  if (thrown instanceof Refusal) return thrown
  if (thrown instanceof AdminError) {
    if (thrown.code === 'not_found') return notFound()
    return new Refusal(STATUS_OF[thrown.code], {
      title: 'This is not possible',
      message: thrown.message,
    })
  }
  const error = toServiceError(thrown)
  const { message, retryAfterSeconds = 1 } = error
  if (error.code === 'overloaded') {
    return new Refusal(503, { title: 'The portal is busy', message, retryAfterSeconds })
  }
  if (error.code === 'storage_unavailable') {
    const text = 'The service cannot reach its data at the moment. Try again in a minute.'
    const title = 'The portal is not available'
    return new Refusal(503, { title, message: text, retryAfterSeconds })
  }
  if (error.status >= 500) return undefined
  const status = error.code === 'payload_too_large' ? 413 : 400
  return new Refusal(status, { title: 'The form could not be read', message })
}
