import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const fixture = fileURLToPath(new URL('fixtures/multiply-integers.js', import.meta.url))

describe('a session of the vision worker', () => {
  // Processors without VNNI give 32,767 unless a session is opened for them.
  it('multiplies 8-bit integers exactly', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [fixture])

    expect(JSON.parse(stdout)).toEqual([255 * 127 + 255 * 127])
  })
})
