import http from 'node:http'
import net from 'node:net'
import type { Config } from '../../config/config.js'
import { findServerPid } from '../../server/pid-file.js'
import { failed, ok, type Finding } from '../check.js'

/** Checks that the ports are free, or in use by the server of this data folder. */
export async function checkPorts(
  config: Pick<Config, 'host' | 'port' | 'metrics' | 'dataDir'>,
): Promise<Finding> {
  const wanted = { PORT: config.port, METRICS_PORT: config.metrics.port }
  const states: string[] = []
  for (const [variable, port] of Object.entries(wanted)) {
    if (port === undefined || port === 0) continue
    const errorCode = await tryListening(config.host, port)
    if (errorCode === undefined) states.push(`${port} is free`)
    else if (errorCode === 'EADDRINUSE' && (await isOwnServer(config, port))) {
      states.push(`${port} is held by the running service`)
    } else return explainFailure(`${variable} ${port} on ${config.host}`, errorCode)
  }
  return ok(states.join(', '))
}

function explainFailure(socket: string, errorCode: string): Finding {
  switch (errorCode) {
    case 'EADDRINUSE':
      return failed(
        `${socket} is in use by another program`,
        'Stop that program (ss -ltnp shows it), or choose another port.',
      )
    case 'EACCES':
      return failed(
        `${socket} cannot be opened by this user`,
        'Choose a port of 1024 or higher behind a reverse proxy.',
      )
    default:
      return failed(
        `${socket} cannot be opened (${errorCode})`,
        'Set HOST to an address of this machine.',
      )
  }
}

/** @returns the error code; undefined on success */
function tryListening(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}

/** The metrics port serves only `/metrics`, the API port `/healthz`. */
async function isOwnServer(
  { host, port, dataDir }: Pick<Config, 'host' | 'port' | 'dataDir'>,
  heldPort: number,
): Promise<boolean> {
  if ((await findServerPid(dataDir)) === undefined) return false
  const path = heldPort === port ? '/healthz' : '/metrics'
  return new Promise((resolve) => {
    const request = http.get({ host, port: heldPort, path, timeout: 2_000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(false))
  })
}
