import { plotProfile } from './flame-graph.js'
import { linePlot } from './plot.js'
import { table } from './publish.js'
import { printProfile } from './server-profile.js'
import { roundTo, showTail } from './statistics.js'

/** @typedef {import('./load.js').LoadReport} LoadReport */

/** A table of the steps and one of the cores in use for each call. */
export function printLoad(
  /** @type {LoadReport} */ { calls, profile },
  /** @type {import('./publish.js').Say} */ say,
) {
  for (const { name, sustainablePerSecond, steps, ...verdict } of calls) {
    say(`\n${name}: ${sustainablePerSecond} a second sustained\n`)
    say(
      table(
        steps.map((step) => ({
          load: `${step.load} ×`,
          'asked /s': step.perSecond,
          requests: step.requests,
          served: step.served,
          failed: step.failed,
          'served /s': step.servedPerSecond,
          'refused, %': roundTo((100 * step.refused) / step.requests, 0),
          'p50, ms': step.p50Ms,
          'p95, ms': step.p95Ms,
          'p99, ms': showTail(step),
          'refusal p99, ms': showTail(step.refusal),
          'queue p50, ms': step.queueP50Ms,
          'loop delay p99, ms': step.eventLoopDelayP99Ms,
        })),
      ),
    )
    say('\nCores in use\n')
    say(table(steps.map(({ load, cores }) => ({ load: `${load} ×`, ...cores }))))
    say(`\n${JSON.stringify(verdict)}`)
  }
  if (profile) printProfile(profile, say)
}

/** Latency and goodput over the load, and where the server process was busy. */
export function plotLoad(/** @type {LoadReport} */ { benchmark, calls, profile }) {
  const ofEach = (/** @type {(step: LoadReport['calls'][0]['steps'][0]) => number} */ value) =>
    Object.fromEntries(
      calls.map(({ name, steps }) => [
        name,
        steps.map((step) => /** @type {[number, number]} */ ([step.load, value(step)])),
      ]),
    )
  const x = { name: 'load, multiples of the sustainable one' }
  return {
    [`${benchmark}-latency`]: linePlot({
      title: 'p99 of served requests, the longest of fewer than a hundred',
      x,
      y: { name: 'ms', log: true },
      series: ofEach(({ p99Ms, longestMs }) => p99Ms ?? longestMs),
    }),
    [`${benchmark}-goodput`]: linePlot({
      title: 'Requests served, share of the sustainable load',
      x,
      y: { name: 'share' },
      series: Object.fromEntries(
        calls.map(({ name, steps, sustainablePerSecond }) => [
          name,
          steps.map(({ load, servedPerSecond }) => [load, servedPerSecond / sustainablePerSecond]),
        ]),
      ),
    }),
    ...plotProfile({ benchmark, profile }),
  }
}
