import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http, { type IncomingMessage, type RequestListener } from 'node:http'
import https from 'node:https'
import net, { type AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const hasNginx = spawnSync('nginx', ['-v']).status === 0
const describeWithNginx = hasNginx ? describe : describe.skip

const REPLICAS = ['172.31.240.11', '172.31.240.12', '172.31.240.13']

let folder: string
let nginx: ChildProcess | undefined
let port: number
const replicas: http.Server[] = []

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'nginx-replicas-'))
})
afterEach(async () => {
  if (nginx?.exitCode === null) {
    const ended = once(nginx, 'exit')
    nginx.kill('SIGTERM')
    await ended
  }
  nginx = undefined
  for (const replica of replicas.splice(0)) {
    replica.closeAllConnections()
    replica.close()
  }
  rmSync(folder, { recursive: true })
})

async function startReplica(listener: RequestListener): Promise<number> {
  const replica = http.createServer(listener).listen(0, '127.0.0.1')
  replicas.push(replica)
  await once(replica, 'listening')
  return (replica.address() as AddressInfo).port
}

/** Ports that nothing listens on. */
async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => net.createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/** Starts nginx with the configuration of the project in front of three replicas; only addresses and paths differ. */
async function startNginx(ports: readonly number[]): Promise<void> {
  ;[port] = (await freePorts(1)) as [number]
  const certificates = path.resolve('test/photos/tls')
  let text = readFileSync('ops/nginx/replicas.conf', 'utf8')
    .replaceAll('/tmp/', `${folder}/`)
    .replace('error_log stderr', `error_log ${folder}/error.log`)
    .replace('/dev/stdout', `${folder}/access.log`)
    .replace('listen 8443', `listen 127.0.0.1:${port}`)
    .replace('/run/secrets/tls-certificate', `${certificates}/photos.test.crt`)
    .replace('/run/secrets/tls-key', `${certificates}/photos.test.key`)
  REPLICAS.forEach((address, i) => {
    text = text.replace(`${address}:8080`, `127.0.0.1:${ports[i]}`)
  })
  const file = path.join(folder, 'nginx.conf')
  writeFileSync(file, text)
  nginx = spawn('nginx', ['-c', file, '-e', `${folder}/error.log`, '-g', 'daemon off;'])
  for (;;) {
    if (nginx.exitCode !== null) throw new Error(readFileSync(`${folder}/error.log`, 'utf8'))
    const socket = net.connect(port, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) return
    await wait(20)
  }
}

async function call(
  method: string,
  target: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const request = https.request({
    host: '127.0.0.1',
    port,
    method,
    path: target,
    headers,
    rejectUnauthorized: false,
    agent: false,
  })
  request.end(method === 'POST' ? '{}' : undefined)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return text
}

describeWithNginx('nginx in front of replicas', () => {
  it('passes on each part of a stream as it comes', async () => {
    let release = () => {}
    const stream: RequestListener = (request, response) => {
      request.resume()
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write('first')
      // The rest comes only once the client has the first part: with a buffer between them, both would wait for ever.
      release = () => response.end('rest')
    }
    const replica = await startReplica(stream)
    await startNginx([replica, replica, replica])

    const response = await call('POST', '/v1/conversation/openers')
    const [first] = (await once(response, 'data')) as [Buffer]
    expect(String(first)).toBe('first')
    release()
    expect(await textOf(response)).toBe('rest')
  })

  it('sends calls to another replica when some refuse the connection', async () => {
    const replica = await startReplica((request, response) => {
      request.resume()
      response.end('answered')
    })
    await startNginx([...(await freePorts(2)), replica])
    for (let i = 0; i < 6; i += 1) {
      const response = await call('POST', '/v1/match/evaluate')
      expect([response.statusCode, await textOf(response)]).toEqual([200, 'answered'])
    }
  })

  it('never sends a call twice that a replica has received', async () => {
    let received = 0
    const dies: RequestListener = (request) => {
      received += 1
      request.socket.destroy()
    }
    await startNginx([await startReplica(dies), await startReplica(dies), await startReplica(dies)])
    expect((await call('POST', '/v1/match/evaluate')).statusCode).toBe(502)
    expect(received).toBe(1)
  })

  it('passes a refusal of a replica on instead of trying another', async () => {
    let received = 0
    const replica = await startReplica((request, response) => {
      request.resume()
      received += 1
      response.writeHead(503, { 'Retry-After': '2' }).end('{"error":"overloaded"}')
    })
    await startNginx([replica, replica, replica])
    const response = await call('POST', '/v1/match/evaluate')
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '2'])
    expect(received).toBe(1)
  })

  it('tells replicas the address of the client, not what the client claims', async () => {
    const replica = await startReplica(({ headers }, response) => {
      response.end(
        `${headers['x-forwarded-for']?.toString()} ${headers['x-forwarded-proto']?.toString()}`,
      )
    })
    await startNginx([replica, replica, replica])
    const response = await call('GET', '/portal', { 'X-Forwarded-For': '198.51.100.7' })
    expect(await textOf(response)).toBe('127.0.0.1 https')
  })

  it('does not publish metrics', async () => {
    const replica = await startReplica((_request, response) => response.end('metrics'))
    await startNginx([replica, replica, replica])
    expect((await call('GET', '/metrics')).statusCode).toBe(404)
  })
})

it('nginx and compose.scale.yaml name the same replicas', () => {
  const compose = readFileSync('compose.scale.yaml', 'utf8')
  const addresses = [...compose.matchAll(/ipv4_address: (172\.31\.240\.1[1-9])/g)]
  expect(addresses.map(([, address]) => address)).toEqual(REPLICAS)
  const upstream = readFileSync('ops/nginx/replicas.conf', 'utf8').matchAll(/server ([\d.]+):8080/g)
  expect([...upstream].map(([, address]) => address)).toEqual(REPLICAS)
  const [, proxy] = /TRUST_PROXY: (\S+)/.exec(compose) ?? []
  expect(compose).toContain(`ipv4_address: ${proxy} }`)
})
