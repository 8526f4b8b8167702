import { setTimeout as sleep } from 'node:timers/promises'
import type { InferenceCall } from '../../../src/inference/inference-call.js'
import {
  createModelHost,
  type ModelHost,
  type ModelHostOptions,
} from '../../../src/inference/workers/model-host.js'
import {
  startWorker,
  type StartWorkerOptions,
} from '../../../src/inference/workers/start-worker.js'
import type { WorkerProcess } from '../../../src/inference/workers/worker-process.js'
import type { WorkerEvent } from '../../../src/inference/workers/worker-supervisor.js'
import type { Log } from '../../../src/telemetry/log.js'

export interface FixtureSettings {
  pack: string
  loadMs?: number
  loadFailure?: string
  exitWhileLoading?: number
  hangOnDispose?: boolean
}

type AddressOf = { host: string; port: number } | { path: string }

/** Methods of `fixtures/fixture-worker.js`. */
export type FixtureMethods = {
  echo: { request: unknown; result: unknown }
  pack: { request: undefined; result: string }
  processState: {
    request: undefined
    result: { env: Record<string, string>; execArgv: string[] }
  }
  grow: { request: number; result: void }
  slow: { request: number; result: string }
  print: { request: string; result: void }
  refuse: { request: undefined; result: never }
  parse: { request: string; result: unknown }
  unsendable: { request: undefined; result: never }
  hang: { request: undefined; result: never }
  /** Blocks the event loop without computing. */
  sleepSync: { request: number; result: void }
  /** Blocks the event loop with work. */
  compute: { request: number; result: string }
  connect: { request: AddressOf; result: string }
  listen: { request: undefined; result: string }
  write: { request: string; result: string }
  remove: { request: string; result: string }
  read: { request: string; result: string }
  execute: { request: string; result: string }
  signalProcess: { request: number; result: string }
  /** A call of the C library; `declaration` in the syntax of koffi. */
  library: { request: { declaration: string; values: readonly number[] }; result: string }
  allocate: { request: number; result: string }
  block: { request: undefined; result: never }
  crash: { request: undefined; result: never }
  throwLater: { request: string; result: never }
}

export const fixtureEntry = new URL('fixtures/fixture-worker.js', import.meta.url)

export interface RecordingLog extends Log {
  lines: { level: string; message: string; fields: Record<string, unknown> }[]
  text: () => string
  /** Process ids in the fields of the lines. */
  pids: () => number[]
}

/** A log that records every line with its fields. */
export function createRecordingLog(): RecordingLog {
  const lines: RecordingLog['lines'] = []
  const write =
    (level: string) =>
    (message: string, fields: Record<string, unknown> = {}) => {
      lines.push({ level, message, fields })
    }
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    lines,
    text: () => lines.map((line) => JSON.stringify(line)).join('\n'),
    pids: () => [...new Set(lines.map(({ fields }) => Number(fields.pid)).filter(Boolean))],
  }
}

/** Starts the fixture worker without a host. */
export async function startFixtureWorker(
  settings: Partial<FixtureSettings> = {},
  options: Partial<StartWorkerOptions> = {},
): Promise<WorkerProcess<FixtureMethods>> {
  return startWorker<FixtureMethods>(
    'vision',
    { pack: 'a', ...settings },
    {
      log: createRecordingLog(),
      environment: {},
      entry: fixtureEntry,
      ...options,
    },
  )
}

export interface FixtureHost extends ModelHost<FixtureMethods> {
  /** Settings of the next start; tests change them. */
  settings: FixtureSettings
  events: WorkerEvent[]
  log: RecordingLog
}

/** A host for the fixture worker, with delays short enough for a test. */
export function createFixtureHost(options: Partial<ModelHostOptions> = {}): FixtureHost {
  const log = createRecordingLog()
  const settings: FixtureSettings = { pack: 'a' }
  const events: WorkerEvent[] = []
  const host = createModelHost<FixtureMethods>({
    role: 'vision',
    settings: async () => settings,
    queue: { concurrency: 4, limit: 100 },
    idleUnloadMs: 0,
    log,
    worker: { environment: {}, entry: fixtureEntry, graceMs: 100 },
    backOff: { crashMs: 20, loadFailureMs: 50, maxMs: 200 },
    onEvent: (event) => events.push(event),
    ...options,
  })
  return { ...host, settings, events, log }
}

/**
 * Opens hosts for the tests of a suite, with the options of `createFixtureHost`, and closes them after each test. A worker that
 * outlives its host fails the test.
 */
export function useFixtureHosts(): (options?: Partial<ModelHostOptions>) => FixtureHost {
  const hosts: FixtureHost[] = []
  afterEach(async () => {
    for (const host of hosts.splice(0)) {
      await host.close(0)
      if (host.log.pids().some(isAlive)) throw new Error('a worker outlived its host')
    }
  })
  return (options) => {
    const host = createFixtureHost(options)
    hosts.push(host)
    return host
  }
}

/** A call with ample time that is never aborted, unless overridden. */
export function patientCall(overrides: Partial<InferenceCall> = {}): InferenceCall {
  return {
    signal: new AbortController().signal,
    deadline: Date.now() + 20_000,
    priority: 'match',
    tenant: { id: 'org live', weight: 1 },
    ...overrides,
  }
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Resolves as soon as the condition holds; the time limit of the test is the timeout. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await sleep(5)
}
