import process from 'node:process'
import cliProgress from 'cli-progress'

/**
 * The items, one after the other, while stderr tells how far it is: a bar on a terminal, elsewhere a line at the start and
 * one for each tenth.
 * @template T
 * @param {string} label
 * @param {readonly T[]} items
 */
export function* showProgress(label, items) {
  if (!process.stderr.isTTY) {
    yield* tellTenths(label, items)
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

/**
 * @template T
 * @param {string} label
 * @param {readonly T[]} items
 */
function* tellTenths(label, items) {
  const startedAt = performance.now()
  console.error(`▸ ${label}, ${items.length} to go …`)
  const tenth = Math.max(1, Math.ceil(items.length / 10))
  for (const [done, item] of items.entries()) {
    if (done > 0 && done % tenth === 0) {
      const seconds = (performance.now() - startedAt) / 1_000
      console.error(`  ${done} of ${items.length}, ${seconds.toFixed(0)} s`)
    }
    yield item
  }
}
