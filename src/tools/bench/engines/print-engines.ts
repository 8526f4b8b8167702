import { formatTable, type Print, type Report } from '../report/publish.js'
import type { SpeedRow } from './compare-speed.js'
import type { Agreement } from './compare-texts.js'
import type { LeavingReport } from './leave-streams.js'
import type { FailureReport } from './survive-failure.js'

/** Parts that were not asked for are undefined. */
export interface EnginesReport extends Report {
  agreement: Agreement[] | undefined
  speed: SpeedRow[] | undefined
  leaving: LeavingReport | undefined
  failure: FailureReport | undefined
}

export function printReport(report: EnginesReport, print: Print): void {
  const { agreement = [], speed, leaving, failure } = report
  for (const each of agreement) printAgreement(each, print)
  if (speed) {
    const rows = speed.map(({ concurrency, name, medianMs, tokensPerSecond, toBareClient }) => ({
      'texts at a time': concurrency,
      generator: name,
      'p50 of a text, ms': medianMs,
      'tokens/s': tokensPerSecond,
      'to the bare client': toBareClient,
    }))
    print(`\n${formatTable(rows)}`)
  }
  if (leaving) {
    const { streams, medianSlots, medianMs, slowestMs } = leaving
    print(
      `\n${streams} streams left with ${medianSlots} slots in use (median): no slot in use after ${medianMs} ms (median), at most ${slowestMs} ms.`,
    )
  }
  if (failure) {
    const { texts, failed, medianMs, slowestMs } = failure
    print(
      `\nOne of two engines killed: ${failed} of ${texts} texts failed; median ${medianMs} ms, slowest ${slowestMs} ms.`,
    )
  }
}

function printAgreement(agreement: Agreement, print: Print): void {
  const { flags, compared, same, sameOneByOne, sampledSame, features, partings } = agreement
  const { workerWithItself, engineWithItself } = agreement
  print(`\nllama-server with ${flags}; texts that are the same, of ${compared}:\n`)
  print(
    formatTable([
      { compared: 'worker and llama-server, most probable tokens, 4 at a time', same },
      {
        compared: 'worker and llama-server, most probable tokens, 1 at a time',
        same: sameOneByOne,
      },
      { compared: 'worker, 1 and 4 at a time', same: workerWithItself },
      { compared: 'llama-server, 1 and 4 at a time', same: engineWithItself },
      { compared: 'worker and llama-server, sampling and seeds of the pack', same: sampledSame },
    ]),
  )
  for (const [name, difference] of Object.entries(features)) {
    const { median = '–', max = '–' } = difference ?? {}
    print(
      `\nReranker's ${name} of the same sampled texts differs by ${median} (median), at most ${max}.`,
    )
  }
  if (partings.length === 0) return
  print('')
  print(
    formatTable(
      partings.map(({ prompt, position, gap }) => ({
        prompt,
        'tokens before they part': position,
        'gap of the two most probable tokens, nats': gap,
      })),
    ),
  )
}
