import type { WorkerRole } from './protocol.js'

/**
 * Variables that a worker process is started with, whatever else it gets.
 * @param threads - on which its models compute
 */
export function roleEnvironment(role: WorkerRole, threads: number): Record<string, string> {
  return {
    // Each thread's heap keeps what it took once: 440 MB instead of 550 to 690 MB after large photos.
    MALLOC_ARENA_MAX: '2',
    UV_THREADPOOL_SIZE: String(poolSize(role, threads)),
  }
}

/** Threads of libuv's pool, of which there are four by default. */
function poolSize(role: WorkerRole, threads: number): number {
  // sharp decodes on them.
  if (role === 'vision') return Math.max(4, threads + 2)
  // llama.cpp starts its threads anew for each round, from the one of the pool that happens to take it. Among four, Linux puts
  // two threads that wait for each other on one core every tenth time: a round of 11 ms takes 40. From one thread it does not.
  return 1
}
