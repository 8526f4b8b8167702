import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const fixture = fileURLToPath(new URL('fixtures/multiply-integers.js', import.meta.url))

describe('openSession', () => {
  // Without the session option, x86-64 processors without VNNI saturate the sum at 32,767.
  it('opens a session that multiplies 8-bit integers exactly', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [fixture])

    expect(JSON.parse(stdout)).toEqual([255 * 127 + 255 * 127])
  })
})
