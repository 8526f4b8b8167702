import { OperatorError } from '../core/operator-error.js'
import { findServerPid } from './pid-file.js'

/**
 * Signals the running server to reload its configuration, plans and models.
 * @throws OperatorError when no server is running
 */
export async function requestReload(dataDir: string): Promise<void> {
  const pid = await findServerPid(dataDir)
  if (pid === undefined) {
    throw new OperatorError(`No server is running on ${dataDir}. Start it with: npm start`)
  }
  process.kill(pid, 'SIGUSR2')
}
