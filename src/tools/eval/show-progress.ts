import process from 'node:process'
import cliProgress from 'cli-progress'

/**
 * Yields the items in order and reports the progress on stderr: as a bar on a terminal, otherwise as a line at the start and
 * after each tenth.
 */
export function* showProgress<T>(label: string, items: readonly T[]): Generator<T, void> {
  if (!process.stderr.isTTY) {
    yield* logTenths(label, items)
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

function* logTenths<T>(label: string, items: readonly T[]): Generator<T, void> {
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
