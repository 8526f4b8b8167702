import { mkdirSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { prepare, prepareClient, run, TEST_RESULTS } from './prepare.js'

prepare()
prepareClient()
mkdirSync(path.dirname(TEST_RESULTS), { recursive: true })
// Tests run the real embedded models: pull what is missing, verify what is there.
run(process.execPath, ['dist/main.js', 'models', 'pull'])
const report = ['--json', '--outputFile', TEST_RESULTS]
run(process.execPath, ['node_modules/jest/bin/jest.js', ...report, ...process.argv.slice(2)], {
  NODE_OPTIONS: '--experimental-vm-modules --no-warnings=ExperimentalWarning',
})
