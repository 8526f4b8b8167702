import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { text } from 'node:stream/consumers'
import { listen } from '../../src/server/listen.js'
import { prepareDrain, type Drain } from '../../src/server/prepare-drain.js'

const LONG = 30_000

describe('a server that drains', () => {
  let server: http.Server
  let drain: Drain
  let agent: http.Agent
  /** Calls that wait for their answer, in the order of their arrival. */
  let waiting: http.ServerResponse[]

  beforeEach(async () => {
    waiting = []
    const address = { variable: 'PORT', port: 0, host: '127.0.0.1' } as const
    server = await listen((_request, response) => void waiting.push(response), address)
    drain = prepareDrain(server)
    agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  })
  afterEach(() => {
    agent.destroy()
    server.closeAllConnections()
    server.close()
  })

  const port = () => (server.address() as net.AddressInfo).port

  /** Sends a request and waits until the server has it. */
  async function send() {
    const before = waiting.length
    const request = http.get({ port: port(), agent })
    const response = once(request, 'response') as Promise<[http.IncomingMessage]>
    response.catch(() => {})
    while (waiting.length === before) await new Promise((resolve) => setImmediate(resolve))
    return { answer: waiting.at(-1)!, response }
  }

  it('finishes what it has begun, and ends the connection with it', async () => {
    const { answer, response } = await send()
    const drained = drain(LONG)
    answer.end('finished')
    const [received] = await response
    expect(received.headers.connection).toBe('close')
    expect(await text(received)).toBe('finished')
    expect(await drained).toBe(0)
  })

  it('finishes a stream that has begun', async () => {
    const { answer, response } = await send()
    answer.write('one ')
    const [received] = await response
    const drained = drain(LONG)
    answer.end('two')
    expect(await text(received)).toBe('one two')
    expect(await drained).toBe(0)
  })

  it('ends a connection that a client keeps busy', async () => {
    const first = await send()
    const second = http.get({ port: port(), agent })
    const drained = drain(LONG)
    first.answer.end()
    const [received] = await first.response
    received.resume()
    // The agent opens another connection for the second request, which finds nobody there.
    await expect(once(second, 'response')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(await drained).toBe(0)
  })

  it('answers a request that arrives on an open connection, and ends it', async () => {
    const socket = net.connect(port(), '127.0.0.1')
    await once(socket, 'connect')
    const arrived = once(server, 'request')
    socket.write('GET / HTTP/1.1\r\nHost: here\r\n')
    // The server has the first bytes before another client is served.
    const other = await send()
    const drained = drain(LONG)
    socket.write('\r\n')
    while (waiting.length < 2) await new Promise((resolve) => setImmediate(resolve))
    await arrived
    for (const answer of waiting) answer.end('served')
    await other.response.then(([received]) => received.resume())
    expect(await text(socket)).toMatch(/Connection: close[\s\S]*served/)
    expect(await drained).toBe(0)
  })

  it('accepts no new connection, and does not wait for idle ones', async () => {
    const { answer, response } = await send()
    answer.end()
    await response.then(([received]) => received.resume())
    const open = port()
    expect(await drain(LONG)).toBe(0)
    const refused = net.connect(open, '127.0.0.1')
    await expect(once(refused, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  it('cuts calls that take longer than the grace period, and counts them', async () => {
    const { response } = await send()
    expect(await drain(20)).toBe(1)
    await expect(response).rejects.toMatchObject({ code: 'ECONNRESET' })
  })
})
