import Table from 'cli-table3'
import type { ReadingScore, Share } from './score-reading.js'

/** Prints the table of a reading on the terminal. */
export function printReading({ readers, profiles, sources, agreement }: ReadingScore): void {
  const table = new Table({
    head: [
      'source',
      'messages',
      'would be sent',
      'by reader',
      'makes sense',
      'invents',
      'best of the profile',
    ],
    style: { head: [], border: [], compact: true },
  })
  for (const score of sources) {
    table.push([
      score.source,
      score.messages,
      formatShare(score.sent),
      score.sentByReader.map(formatPercent).join(', '),
      formatShare(score.sensible),
      formatShare(score.invents),
      formatShare(score.best),
    ])
  }
  console.log(`${profiles} profiles, ${readers.length} readers: ${readers.join(', ')}\n`)
  console.log(table.toString())
  console.log('\nGraded higher, by profile and reader; ties count half:')
  for (const { source, preferredTo } of sources) {
    for (const [other, share] of Object.entries(preferredTo)) {
      if (share.value > 0.5) console.log(`  ${source} over ${other}: ${formatShare(share)}`)
    }
  }
  console.log(
    `\nAgreement beyond chance (Fleiss' kappa): would be sent ${formatKappa(agreement.sent)}, makes sense ${formatKappa(agreement.sensible)}`,
  )
}

function formatShare({ value, interval }: Share): string {
  if (!interval) return formatPercent(value)
  return `${formatPercent(value)} [${toPercent(interval.low)}, ${toPercent(interval.high)}]`
}

function formatPercent(value: number): string {
  return Number.isNaN(value) ? '–' : `${toPercent(value)} %`
}

function toPercent(value: number): string {
  return (value * 100).toFixed(0)
}

function formatKappa(value: number): string {
  return Number.isNaN(value) ? '–' : value.toFixed(2)
}
