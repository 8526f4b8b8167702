/**
 * - `auto`: whatever the platform allows
 * - `required`: a worker that is not isolated does not serve
 * - `off`: for debuggers and profilers
 */
export const ISOLATION_MODES = ['auto', 'required', 'off'] as const
export type IsolationMode = (typeof ISOLATION_MODES)[number]

/** What a worker process cannot do, as it found out before it was ready. */
export interface WorkerIsolation {
  /** Its network namespace is its own and has no addresses, not even the loopback. */
  ownNetwork: boolean
  /** The kernel refuses sockets, changes of files, processes and signals to others. */
  filtered: boolean
  /** Why calls are not filtered; holds no user data. */
  reason: string | undefined
}

export const NOT_ISOLATED: WorkerIsolation = {
  ownNetwork: false,
  filtered: false,
  reason: 'WORKER_ISOLATION is off',
}

/** A few words for the log, `/readyz` and the doctor. */
export function describeIsolation({ ownNetwork, filtered, reason }: WorkerIsolation): string {
  const parts = [
    ...(filtered ? ['system call filter'] : []),
    ...(ownNetwork ? ['network namespace'] : []),
  ]
  if (filtered) return parts.join(', ')
  return [...parts, `no system call filter: ${reason ?? 'unknown'}`].join(', ')
}
