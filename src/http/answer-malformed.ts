import type { Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorBody, ServiceError } from '../core/service-error.js'
import { newRequestId } from './trace-requests.js'

const STATUS_LINES = {
  400: '400 Bad Request',
  408: '408 Request Timeout',
} as const

/**
 * Answers requests that never reach the application with the error body of the interface: what is no HTTP, has headers that are too
 * large, or does not arrive in time. The connection closes, because nobody knows where the next request would begin.
 */
export function answerMalformed(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    // A message from before may be half sent; a second one would be read as part of it.
    if ((socket as { _httpMessage?: { headersSent: boolean } })._httpMessage?.headersSent) {
      return void socket.destroy()
    }
    socket.end(writeRefusal(error.code))
  })
  // An expectation that the server does not know is no reason to refuse (RFC 9110, section 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
}

function writeRefusal(code: string | undefined): string {
  const { status, message } = describeProblem(code)
  const requestId = newRequestId()
  const body = JSON.stringify(errorBody(new ServiceError('invalid_request', message), requestId))
  return [
    `HTTP/1.1 ${STATUS_LINES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Cache-Control: no-store',
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}

function describeProblem(code: string | undefined): {
  status: keyof typeof STATUS_LINES
  message: string
} {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, message: 'The request did not arrive in time. Send it again.' }
    case 'HPE_HEADER_OVERFLOW':
      return { status: 400, message: 'The address and the headers are larger than 16 KB.' }
    default:
      return { status: 400, message: 'This is not a valid HTTP request.' }
  }
}
