import path from 'node:path'
import { describeMachine } from '../describe-machine.js'
import { measureHttp } from './overhead/measure-http.js'
import { measureSteps } from './overhead/measure-steps.js'
import { publish, table } from './publish.js'
import { createScratchFolder } from './scratch-folder.js'

/**
 * What authentication, limits, quota and idempotency add to a call that computes nothing: each step by itself, and
 * the whole path over HTTP against a bare Express handler on the same server, which has one core.
 */
export async function runBenchmark(/** @type {import('./publish.js').BenchmarkOptions} */ options) {
  const folder = createScratchFolder()
  const report = {
    benchmark: 'overhead',
    machine: describeMachine(),
    stepMicroseconds: await measureSteps(path.join(folder, 'steps')),
    http: await measureHttp(path.join(folder, 'http')),
  }
  publish(report, options, { print })
}

function print(
  /** @type {any} */ { stepMicroseconds, http: over },
  /** @type {import('./publish.js').Say} */ say,
) {
  for (const [mode, steps] of Object.entries(stepMicroseconds)) {
    say(`\nSteps, synchronous = ${mode}\n`)
    say(
      table(
        Object.entries(steps).map(([step, { p50, p99 }]) => ({
          step,
          'p50, µs': p50,
          'p99, µs': p99,
        })),
      ),
    )
  }
  const { ratePerSecond, serverOnOneCore, bare, metered } = over
  say(`\nOver HTTP, the server ${serverOnOneCore ? 'on one core' : 'not pinned'}\n`)
  say(
    table(
      Object.entries({ bare, metered }).map(([route, round]) => ({
        route,
        [`p50 at ${ratePerSecond}/s, ms`]: round.p50Ms,
        'p99, ms': round.p99Ms,
        'CPU a request, µs': round.cpuMicroseconds,
        'requests /s, 32 clients': round.requestsPerSecond,
      })),
    ),
  )
  say(`\nAdded: p50 ${over.addedP50Ms} ms; throughput ratio ${over.throughputRatio}`)
}
