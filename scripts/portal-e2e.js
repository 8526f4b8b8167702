import { existsSync } from 'node:fs'
import process from 'node:process'
import { prepare, run } from './prepare.js'

/**
 * Runs the portal's tests in a real browser, at the width of a desktop and of a phone.
 *
 * Usage: npm run portal:e2e [-- PATTERN] [--update-screenshots]
 * CHROMIUM_PATH names a browser that is elsewhere than where Debian puts it.
 */

const args = process.argv.slice(2)
const updatesScreenshots = args.includes('--update-screenshots')
const chromium = process.env.CHROMIUM_PATH || '/usr/bin/chromium'

if (!existsSync(chromium)) {
  console.error(
    `There is no browser at ${chromium}. Install one (Debian: apt-get install chromium), or name it in CHROMIUM_PATH.`,
  )
  process.exit(1)
}
prepare()
run(
  process.execPath,
  [
    'node_modules/jest/bin/jest.js',
    '--config',
    'jest.e2e.config.js',
    ...args.filter((arg) => arg !== '--update-screenshots'),
  ],
  {
    NODE_OPTIONS: '--experimental-vm-modules --no-warnings=ExperimentalWarning',
    CHROMIUM_PATH: chromium,
    UPDATE_SCREENSHOTS: String(updatesScreenshots),
  },
)
