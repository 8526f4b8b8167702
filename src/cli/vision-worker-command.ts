import { Command, InvalidArgumentError } from 'commander'
import type { Config } from '../config/config.js'
import { serveVisionWorker } from '../server/serve-vision-worker.js'

/** Runs the models for photos and texts for services on other machines. */
export function visionWorkerCommand(config: Config): Command {
  return new Command('vision-worker')
    .description(
      'Serve the models for photos and texts to services whose VISION_URL is this machine and whose VISION_PROTOCOL is worker.',
    )
    .option('--port <port>', 'port on HOST; default: PORT', parsePort)
    .action(({ port }: { port?: number }) =>
      serveVisionWorker(port === undefined ? config : { ...config, port }),
    )
}

function parsePort(text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError('must be 0 to 65535')
}
