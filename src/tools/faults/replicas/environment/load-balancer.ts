import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findFreePort } from '../../../bench/service/find-free-port.js'
import { PROJECT_FOLDER } from '../../../project-folder.js'
import type { FaultEnvironment } from '../../environment/fault-environment.js'
import { startProgram } from '../../environment/run-program.js'
import type { ServiceProcess } from '../../environment/service-process.js'
import { waitUntil } from '../../environment/wait-until.js'
import { adaptNginxConfiguration } from './nginx-configuration.js'
import { requireProgram } from './require-program.js'

const SHIPPED = path.join(PROJECT_FOLDER, 'ops', 'nginx', 'replicas.conf')
const START_LIMIT_MS = 10_000

/**
 * Starts nginx in front of replicas, with the rules of ops/nginx/replicas.conf.
 * @returns base URL
 * @throws SkippedScenario where nginx is not installed
 */
export async function startLoadBalancer(
  environment: FaultEnvironment,
  replicas: readonly ServiceProcess[],
): Promise<string> {
  requireProgram('nginx', 'nginx')
  const port = await findFreePort()
  const folder = path.join(environment.folder, `nginx-${port}`)
  mkdirSync(folder)
  const file = path.join(folder, 'nginx.conf')
  const replicaPorts = replicas.map((replica) => replica.port)
  const shipped = readFileSync(SHIPPED, 'utf8')
  writeFileSync(file, adaptNginxConfiguration(shipped, { folder, port, replicaPorts }))
  const errors = path.join(folder, 'error.log')
  const { child, result } = startProgram('nginx', ['-c', file, '-e', errors, '-g', 'daemon off;'])
  // SIGKILL would leave its workers behind.
  environment.onClose(() => void child.kill('SIGTERM'))
  const baseUrl = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(`${baseUrl}/metrics`).then(
      (response) => response.status === 404,
      () => false,
    )
  const started = await waitUntil(async () => child.exitCode !== null || answers(), START_LIMIT_MS)
  if (started === undefined || child.exitCode !== null) {
    throw new Error(`nginx did not start: ${child.exitCode === null ? '' : (await result).output}`)
  }
  return baseUrl
}
