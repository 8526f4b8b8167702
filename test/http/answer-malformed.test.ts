import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { answerMalformed } from '../../src/http/answer-malformed.js'

describe('a request that is not valid HTTP', () => {
  let server: http.Server
  beforeAll(async () => {
    server = http.createServer((_request, response) => response.end('reached'))
    answerMalformed(server)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  })
  afterAll(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })

  async function exchange(bytes: string): Promise<string> {
    const { port } = server.address() as AddressInfo
    const socket = net.connect(port, '127.0.0.1')
    socket.write(bytes)
    return text(socket)
  }

  it.each([
    ['nonsense', 'nonsense\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    ['a control character in a header', 'GET / HTTP/1.1\r\nHost: x\r\nX: \u0001\r\n\r\n'],
    ['headers of 20 KB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('with %s gets the error body and the end of the connection', async (_what, bytes) => {
    const [head = '', body = ''] = (await exchange(bytes)).split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(head).toContain('Connection: close')
    expect(JSON.parse(body)).toEqual({
      error: 'invalid_request',
      message: expect.stringMatching(/\.$/),
      request_id: expect.stringMatching(/^req_[0-9a-f]{24}$/),
    })
  })

  it('is not confused with an expectation that the server does not know', async () => {
    const bytes = 'GET / HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\nConnection: close\r\n\r\n'
    expect(await exchange(bytes)).toContain('reached')
  })
})
