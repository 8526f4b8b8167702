import { existsSync } from 'node:fs'
import type { ForkOptions } from 'node:child_process'

/** Says to a worker that the shell gave it a network namespace. */
export const OWN_NETWORK_ARGUMENT = '--own-network'

const SHELL = '/bin/sh'

export interface ProcessLimits {
  isIsolated: boolean
  /** Bytes of memory that the process may fill with data of its own; undefined: no limit. */
  dataBytes?: number | undefined
}

/**
 * Options of `fork` that limit a process before Node runs; only a shell can. `exec` keeps the process id and the IPC channel. No flag of
 * the server reaches the worker.
 */
export function limitedProcess(limits: ProcessLimits): ForkOptions {
  if (!existsSync(SHELL)) return { execArgv: [] }
  return { execPath: SHELL, execArgv: ['-c', script(limits), process.execPath] }
}

function script({ isIsolated, dataBytes }: ProcessLimits): string {
  const start = 'exec "$0" "$@"'
  // A core file of a worker would contain photos and bios.
  const lines = ['ulimit -c 0']
  if (dataBytes !== undefined) lines.push(`ulimit -d ${Math.ceil(dataBytes / 1_024)}`)
  if (!isIsolated || process.platform !== 'linux') return [...lines, start].join('\n')
  // The largest file that it may write has no bytes.
  lines.push('ulimit -f 0')
  // Containers and service managers may forbid namespaces, and small systems have no `unshare`.
  const unshare = `unshare ${namespaceOptions()}`
  const ownNetwork = `exec ${unshare} "$0" "$@" ${OWN_NETWORK_ARGUMENT}`
  return [...lines, `if ${unshare} true 2>/dev/null; then ${ownNetwork}; fi`, start].join('\n')
}

/**
 * Root keeps its user namespace: in a new one it could not read files of other users. Everybody else needs a user namespace to be
 * allowed a network namespace.
 */
function namespaceOptions(): string {
  return process.getuid?.() === 0 ? '--net' : '--user --map-current-user --net'
}
