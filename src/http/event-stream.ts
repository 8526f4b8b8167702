import type { Response } from 'express'

const PING_INTERVAL_MS = 15_000

export interface StreamedEvent {
  event: string
  data: unknown
}

/** Server-sent events on one response. */
export interface EventStream {
  readonly started: boolean
  /** In order, without those sent after the client left. */
  readonly sent: readonly StreamedEvent[]
  send(event: string, data: unknown): void
  end(): void
}

export interface EventStreamOptions {
  /** Called when the first event leaves; pings do not count. */
  onFirstEvent?: () => void
}

/**
 * Opens a stream of server-sent events, with a comment ping every 15 s that keeps proxies from closing it. The headers leave
 * with the first event or ping: until then an error can be answered with its own status.
 * Source: https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function openEventStream(
  response: Response,
  { onFirstEvent }: EventStreamOptions = {},
): EventStream {
  let started = false
  const sent: StreamedEvent[] = []
  const isOver = () => response.writableEnded || response.destroyed
  const write = (chunk: string) => {
    if (isOver()) return
    if (!started) {
      started = true
      response.status(200)
      response.setHeader('Content-Type', 'text/event-stream; charset=utf-8')
      response.setHeader('Cache-Control', 'no-store')
      // nginx buffers answers by default.
      response.setHeader('X-Accel-Buffering', 'no')
      response.flushHeaders()
    }
    response.write(chunk)
  }
  const ping = setInterval(() => write(': ping\n\n'), PING_INTERVAL_MS)
  const stop = () => clearInterval(ping)
  response.once('close', stop)
  return {
    get started() {
      return started
    },
    sent,
    send: (event, data) => {
      if (!isOver()) {
        if (sent.length === 0) onFirstEvent?.()
        sent.push({ event, data })
      }
      write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
    },
    end: () => {
      stop()
      if (!response.writableEnded) response.end()
    },
  }
}
