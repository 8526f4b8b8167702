import type { WorkerRole } from './protocol.js'

/**
 * Variables that every worker process gets.
 * @param threads - threads of its models
 */
export function roleEnvironment(role: WorkerRole, threads: number): Record<string, string> {
  return {
    // A heap for each thread never shrinks: 440 MB with two, 550 to 690 MB without a limit after large photos.
    MALLOC_ARENA_MAX: '2',
    UV_THREADPOOL_SIZE: String(poolSize(role, threads)),
  }
}

/** Threads of libuv's pool; the default is four. */
function poolSize(role: WorkerRole, threads: number): number {
  // sharp decodes on these threads.
  if (role === 'vision') return Math.max(4, threads + 2)
  // llama.cpp creates its threads for each round, from the pool thread that runs it. With four pool threads, Linux places two
  // threads that wait for each other on one core in every tenth round, which then takes 40 ms instead of 11; with one, never.
  return 1
}
