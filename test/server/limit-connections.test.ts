import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { limitConnections } from '../../src/server/limit-connections.js'

describe('a limit on connections', () => {
  const LIMIT = 4
  const KNOWN = { trace: { caller: { organizationId: 'org' } } }
  let server: http.Server
  let sockets: net.Socket[]
  let held: http.ServerResponse[]

  beforeEach(async () => {
    sockets = []
    held = []
    server = http.createServer((request, response) => {
      if (request.headers.authorization) Object.assign(response, { locals: KNOWN })
      if (request.url === '/held') held.push(response)
      else response.end('answer')
    })
    limitConnections(server, LIMIT)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  })

  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  async function connect(localAddress = '127.0.0.1'): Promise<net.Socket> {
    const { port } = server.address() as AddressInfo
    const socket = net.connect({ host: '127.0.0.1', port, localAddress })
    socket.on('error', () => {})
    sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }

  const ask = (socket: net.Socket, path = '/', headers = '') =>
    socket.write(`GET ${path} HTTP/1.1\r\nHost: service\r\n${headers}\r\n`)

  const begin = (socket: net.Socket, headers = '') =>
    socket.write(`POST /held HTTP/1.1\r\nHost: service\r\n${headers}Content-Length: 100\r\n\r\n{`)

  const untilHeld = async (count: number) => {
    while (held.length < count) await new Promise((resolve) => setImmediate(resolve))
  }

  it('closes the oldest idle connection of the address that has the most', async () => {
    const other = await connect('127.0.0.2')
    const first = await connect()
    await connect()
    await connect()

    const closed = once(first, 'close')
    const newest = await connect()

    await closed
    ask(newest)
    expect(String(await once(newest, 'data'))).toContain('answer')
    ask(other)
    expect(String(await once(other, 'data'))).toContain('answer')
  })

  it('never closes a connection whose call is in progress', async () => {
    for (let count = 0; count < LIMIT; count += 1) {
      ask(await connect(), '/held', 'Authorization: Bearer key\r\n')
    }
    await untilHeld(LIMIT)

    await once(await connect(), 'close')

    for (const response of held) response.end('late')
    for (const socket of sockets.slice(0, LIMIT)) {
      expect(String(await once(socket, 'data'))).toContain('late')
    }
  })

  it.each([
    ['a stranger', ''],
    ['a known caller', 'Authorization: Bearer key\r\n'],
  ])('makes room for others when %s never ends the uploads', async (_who, headers) => {
    const victim = await connect('127.0.0.2')
    for (let count = 1; count < LIMIT; count += 1) begin(await connect(), headers)
    await untilHeld(LIMIT - 1)

    const closed = once(sockets[1]!, 'close')
    const newest = await connect('127.0.0.2')

    await closed
    for (const socket of [victim, newest]) {
      ask(socket)
      expect(String(await once(socket, 'data'))).toContain('answer')
    }
  })

  it('makes room for others when strangers do not read their answers', async () => {
    for (let count = 0; count < LIMIT; count += 1) ask(await connect(), '/held')
    await untilHeld(LIMIT)

    const closed = once(sockets[0]!, 'close')
    const newest = await connect('127.0.0.2')

    await closed
    ask(newest)
    expect(String(await once(newest, 'data'))).toContain('answer')
  })

  it('counts a connection as idle again once its request is answered', async () => {
    for (let count = 0; count < LIMIT; count += 1) {
      const socket = await connect()
      ask(socket)
      await once(socket, 'data')
    }
    const closed = once(sockets[0]!, 'close')
    const newest = await connect()
    ask(newest)
    expect(String(await once(newest, 'data'))).toContain('answer')
    await closed
  })
})
