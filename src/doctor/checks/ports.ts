import http from 'node:http'
import net from 'node:net'
import type { Config } from '../../config/config.js'
import { findServingPid } from '../../server/pid-file.js'
import { failed, ok, type Finding } from '../check.js'

/** Whether the ports are free, or held by the server of this data folder. */
export async function checkPorts(
  config: Pick<Config, 'host' | 'port' | 'metrics' | 'dataDir'>,
): Promise<Finding> {
  const wanted = { PORT: config.port, METRICS_PORT: config.metrics.port }
  const states: string[] = []
  for (const [variable, port] of Object.entries(wanted)) {
    if (port === undefined || port === 0) continue
    const problem = await problemWhenListening(config.host, port)
    if (problem === undefined) states.push(`${port} is free`)
    else if (problem === 'EADDRINUSE' && (await isOurs(config, port))) {
      states.push(`${port} is held by the running service`)
    } else return refused(`${variable} ${port} on ${config.host}`, problem)
  }
  return ok(states.join(', '))
}

function refused(what: string, problem: string): Finding {
  switch (problem) {
    case 'EADDRINUSE':
      return failed(
        `${what} is taken by another program`,
        'End that program (ss -ltnp shows it), or choose another port.',
      )
    case 'EACCES':
      return failed(
        `${what} may not be opened by this user`,
        'Choose a port from 1024 up, and let a reverse proxy listen below.',
      )
    default:
      return failed(
        `${what} cannot be opened (${problem})`,
        'Set HOST to an address of this machine.',
      )
  }
}

function problemWhenListening(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = net.createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
    server.listen(port, host, () => server.close(() => resolve(undefined)))
  })
}

/** The metrics port answers only `/metrics`, the API's `/healthz`; another server of ours has another data folder. */
async function isOurs(
  { host, port, dataDir }: Pick<Config, 'host' | 'port' | 'dataDir'>,
  held: number,
): Promise<boolean> {
  if ((await findServingPid(dataDir)) === undefined) return false
  const path = held === port ? '/healthz' : '/metrics'
  return new Promise((resolve) => {
    const request = http.get({ host, port: held, path, timeout: 2_000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.once('timeout', () => request.destroy())
    request.once('error', () => resolve(false))
  })
}
