import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import process from 'node:process'
import { PROJECT_FOLDER } from '../project-folder.js'

/**
 * Runs the tests of the portal in a real browser, at the widths of a desktop and of a phone.
 *
 * Usage: npm run portal:e2e [-- PATTERN] [--update-screenshots]
 * CHROMIUM_PATH names a browser outside the place where Debian installs it.
 */

const UPDATE = '--update-screenshots'

const args = process.argv.slice(2)
const chromium = process.env.CHROMIUM_PATH || '/usr/bin/chromium'
if (!existsSync(chromium)) {
  console.error(
    `There is no browser at ${chromium}. Install one (Debian: apt-get install chromium) or set CHROMIUM_PATH.`,
  )
  process.exit(1)
}
const jest = ['node_modules/jest/bin/jest.js', '--config', 'jest.e2e.config.js']
const { status } = spawnSync(process.execPath, [...jest, ...args.filter((arg) => arg !== UPDATE)], {
  cwd: PROJECT_FOLDER,
  stdio: 'inherit',
  env: {
    ...process.env,
    NODE_OPTIONS: '--experimental-vm-modules --no-warnings=ExperimentalWarning',
    CHROMIUM_PATH: chromium,
    UPDATE_SCREENSHOTS: String(args.includes(UPDATE)),
  },
})
process.exitCode = status ?? 1
