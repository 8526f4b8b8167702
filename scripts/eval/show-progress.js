import process from 'node:process'
import cliProgress from 'cli-progress'

/**
 * The items, one after the other, while stderr tells how far it is: a bar on a terminal, elsewhere a line at the start.
 * @template T
 * @param {string} label
 * @param {readonly T[]} items
 */
export function* showProgress(label, items) {
  if (!process.stderr.isTTY) {
    console.error(`▸ ${label}, ${items.length} to go …`)
    yield* items
    return
  }
  const bar = new cliProgress.SingleBar({
    stream: process.stderr,
    format: '▸ {label} {bar} {value}/{total}, {eta_formatted} left',
    barsize: 24,
    hideCursor: false,
    gracefulExit: false,
  })
  bar.start(items.length, 0, { label })
  try {
    for (const item of items) {
      yield item
      bar.increment()
    }
  } finally {
    bar.stop()
  }
}
