import { Writable } from 'node:stream'
import { showTransferProgress } from '../../src/cli/transfer-progress.js'

function show({ isTTY = false } = {}) {
  let now = 0
  let text = ''
  const stream = Object.assign(
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        text += chunk.toString()
        done()
      },
    }),
    // What cli-progress asks of a terminal.
    { isTTY, cursorTo: () => true, moveCursor: () => true, clearLine: () => true, columns: 120 },
  )
  const { onProgress, stop } = showTransferProgress(stream, () => now)
  const moving = (seconds: number, doneRows: number) => {
    now = seconds * 1_000
    onProgress({ phase: 'moving', table: 'events', doneRows, totalRows: 1_000 })
  }
  return {
    onProgress,
    moving,
    stop,
    lines: () => text.split('\n').filter(Boolean),
    text: () => text,
  }
}

describe('the progress of a transfer', () => {
  it('is a line for each tenth, with an estimate of the rest', () => {
    const { onProgress, moving, lines } = show()
    onProgress({ phase: 'reading', table: 'events', doneRows: 0, totalRows: undefined })
    moving(0, 0)
    moving(10, 100)
    moving(11, 110)
    moving(40, 500)
    expect(lines()).toEqual([
      'reading the data folder',
      'moving events (0 of 1,000 rows): 0 %',
      'moving events (100 of 1,000 rows): 10 %, about 90 s left',
      'moving events (500 of 1,000 rows): 50 %, about 40 s left',
    ])
  })

  it('estimates from the rows of this run, not from those that an interrupted one has moved', () => {
    const { moving, lines } = show()
    moving(0, 800)
    moving(100, 900)
    expect(lines().at(-1)).toBe('moving events (900 of 1,000 rows): 90 %, about 2 min left')
  })

  it('is a bar on a terminal', () => {
    const { moving, stop, text } = show({ isTTY: true })
    moving(0, 0)
    moving(10, 500)
    stop()
    expect(text()).toContain('50% | moving events')
  })
})
