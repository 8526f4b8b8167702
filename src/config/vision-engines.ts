import fs from 'node:fs'
import { ConfigError } from './config-error.js'
import type { Environment } from './environment-schema.js'
import { readNamedFile } from './read-named-file.js'

/** Servers that run the vision models in place of this machine. */
export interface VisionEngines {
  /** Base URLs, without a trailing slash. */
  urls: string[]
  /** `kserve`: Open Inference Protocol 2 with binary tensors. `worker`: `profile-intelligence vision-worker`. */
  protocol: 'kserve' | 'worker'
  /** Requests of this process to all engines at a time. */
  concurrency: number
}

const MAX_KEY_BYTES = 4_096

/**
 * Undefined when the models run on this machine.
 * @throws ConfigError
 */
export function readVisionEngines(env: Environment): VisionEngines | undefined {
  if (env.VISION_URL === undefined) {
    if (env.VISION_PROTOCOL !== undefined) {
      throw new ConfigError('VISION_PROTOCOL says how to speak to VISION_URL: set VISION_URL too.')
    }
    return undefined
  }
  const protocol = env.VISION_PROTOCOL ?? 'kserve'
  refuseUnused('VISION_GPU', env.VISION_GPU)
  // With KServe, photos are still decoded here, by as many threads.
  if (protocol === 'worker') refuseUnused('VISION_THREADS', env.VISION_THREADS)
  return {
    urls: env.VISION_URL,
    protocol,
    concurrency: env.VISION_CONCURRENCY,
  }
}

function refuseUnused(name: string, value: unknown): void {
  if (value === undefined) return
  throw new ConfigError(`${name} has no effect with VISION_URL: unset one of them.`)
}

/**
 * The secret of VISION_API_KEY_FILE: the client sends it, `vision-worker` asks for it.
 * @throws ConfigError
 */
export function readVisionKey({
  VISION_API_KEY_FILE: file,
}: Pick<Environment, 'VISION_API_KEY_FILE'>): string | undefined {
  if (file === undefined) return undefined
  const key = readNamedFile('VISION_API_KEY_FILE', file, readStart).trim()
  // Header values of HTTP: anything else could add headers of its own.
  if (/^[\x21-\x7e]{16,}$/.test(key) && key.length < MAX_KEY_BYTES) return key
  throw new ConfigError(
    `The file named by VISION_API_KEY_FILE must hold one key of 16 to ${MAX_KEY_BYTES - 1} printable characters without spaces: ${file}`,
  )
}

function readStart(file: string): string {
  const descriptor = fs.openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(MAX_KEY_BYTES + 2)
    return bytes.toString('utf8', 0, fs.readSync(descriptor, bytes))
  } finally {
    fs.closeSync(descriptor)
  }
}
