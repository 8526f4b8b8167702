import path from 'node:path'
import process from 'node:process'
import { describeMachine } from '../describe-machine.js'
import type { BenchOptions } from './bench-options.js'
import { createScratchFolder } from './create-scratch-folder.js'
import { measureDatabases, type DatabaseOverhead } from './overhead/measure-databases.js'
import { measureHttp, type HttpOverhead } from './overhead/measure-http.js'
import { measureSteps, type StepTimes } from './overhead/measure-steps.js'
import { formatTable, publish, type Print, type Report } from './report/publish.js'

interface OverheadReport extends Report {
  stepMicroseconds: StepTimes
  http: HttpOverhead
}

/**
 * Measures what authentication, limits, quota and idempotency add to a call that computes nothing: each step separately,
 * and all of them over HTTP against a bare Express handler, with the server on one core.
 */
export async function runBenchmark(options: BenchOptions): Promise<void> {
  const folder = createScratchFolder()
  if (options.database === 'postgres') return compareDatabases(folder, options)
  const report: OverheadReport = {
    benchmark: 'overhead',
    machine: describeMachine(),
    stepMicroseconds: await measureSteps(path.join(folder, 'steps')),
    http: await measureHttp(path.join(folder, 'http')),
  }
  publish(report, options, { print: printReport })
}

function printReport({ stepMicroseconds, http }: OverheadReport, print: Print): void {
  for (const [mode, steps] of Object.entries(stepMicroseconds)) {
    print(`\nSteps, synchronous = ${mode}\n`)
    print(
      formatTable(
        Object.entries(steps).map(([step, { p50, p99 }]) => ({
          step,
          'p50, µs': p50,
          'p99, µs': p99,
        })),
      ),
    )
  }
  const { ratePerSecond, serverOnOneCore, bare, metered } = http
  print(`\nOver HTTP, the server ${serverOnOneCore ? 'on one core' : 'not pinned'}\n`)
  print(
    formatTable(
      Object.entries({ bare, metered }).map(([route, times]) => ({
        route,
        [`p50 at ${ratePerSecond}/s, ms`]: times.p50Ms,
        'p99, ms': times.p99Ms,
        'CPU a request, µs': times.cpuMicroseconds,
        'requests /s, 32 clients': times.requestsPerSecond,
      })),
    ),
  )
  print(`\nAdded: p50 ${http.addedP50Ms} ms; throughput ratio ${http.throughputRatio}`)
}

interface DatabasesReport extends Report {
  overhead: DatabaseOverhead
}

const REPLICAS = 2
const MAX_REPLICAS = 8

async function compareDatabases(folder: string, options: BenchOptions): Promise<void> {
  const server = process.env.BENCH_POSTGRES_URL
  if (server === undefined) {
    throw new Error('Set BENCH_POSTGRES_URL to a server on which a database may be created.')
  }
  const { replicas = REPLICAS } = options
  if (replicas > MAX_REPLICAS) throw new Error(`--replicas must be from 1 to ${MAX_REPLICAS}.`)
  const report: DatabasesReport = {
    benchmark: 'overhead-postgres',
    machine: describeMachine(),
    overhead: await measureDatabases(folder, server, replicas),
  }
  publish(report, options, { print: printDatabases })
}

function printDatabases({ machine, overhead }: DatabasesReport, print: Print): void {
  const { version, pairedDifferenceMs, walBytes, throughput } = overhead
  print(`\n${machine.cpu}, ${machine.cores} cores, Node ${machine.node}; PostgreSQL ${version}\n`)
  print(
    formatTable(
      (['sqlite', 'postgres'] as const).map((database) => {
        const { servers, callsPerSecond, p50Ms, cpuMicroseconds } = throughput[database]
        return {
          database,
          'one at a time, p50 ms': overhead[database].p50Ms,
          'p99 ms': overhead[database].p99Ms,
          servers,
          'calls /s at full speed': callsPerSecond.join(', '),
          'p50 ms': p50Ms,
          'CPU of the servers, µs a call': cpuMicroseconds,
        }
      }),
    ),
  )
  print(`\nAdded by PostgreSQL: p50 ${pairedDifferenceMs} ms; ${walBytes} bytes of log a call`)
}
