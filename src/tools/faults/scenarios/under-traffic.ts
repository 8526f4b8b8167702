import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceProcess } from '../environment/service-process.js'
import type { Ledger } from '../ledger/ledger.js'
import { Traffic, type TrafficOptions, type TrafficSummary } from '../ledger/traffic.js'

/** What partners and the operator saw while something happened. */
export interface Observation {
  summary: TrafficSummary
  /** Statuses of `/readyz`. */
  readiness: ReadonlySet<number>
  /** Warnings and errors of the log with how often each was logged. */
  problems: ReadonlyMap<string, number>
}

/** Does something while partners call the service without a pause. */
export async function underTraffic(
  service: ServiceProcess,
  ledger: Ledger,
  work: (traffic: Traffic) => Promise<unknown>,
  options: TrafficOptions = {},
): Promise<Observation> {
  const { log } = service
  const firstLine = log.length
  const traffic = new Traffic(service, ledger, options)
  await work(traffic)
  const summary = await traffic.stop()
  return { summary, readiness: summary.readiness, problems: log.problemsSince(firstLine) }
}

/** Lets partners call for a while, so that there is something to lose. */
export async function fillLedger(
  service: ServiceProcess,
  ledger: Ledger,
  milliseconds = 1_000,
): Promise<void> {
  await underTraffic(service, ledger, () => sleep(milliseconds))
  // Calls that did not wait for the disk are there after at most 100 ms; these faults are not about power cuts.
  await sleep(300)
}
