import { describe, expect, it } from '@jest/globals'
import { readConfig } from '../src/config.js'

const read = (env: Record<string, string>) => readConfig({ ENV_FILE: '', ...env })

describe('the configuration', () => {
  it.each([
    ['REQUEST_TIMEOUT_MS', 2 ** 31 - 1],
    ['SHUTDOWN_GRACE_MS', 2 ** 31 - 1],
    ['PHOTO_FETCH_TIMEOUT_MS', 2 ** 31 - 1],
    ['IDLE_UNLOAD_SECONDS', 2_147_483],
    ['PHOTO_CACHE_TTL_SECONDS', 2_147_483],
  ])('takes for %s what a timer can wait, and no more', (name, most) => {
    expect(() => read({ [name]: String(most) })).not.toThrow()
    expect(() => read({ [name]: String(most + 1) })).toThrow(`${name}: must be at most ${most}`)
  })
})
