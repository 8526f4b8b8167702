import path from 'node:path'
import { describeMachine } from '../describe-machine.js'
import type { BenchOptions } from './bench-options.js'
import { createScratchFolder } from './create-scratch-folder.js'
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
