import { createRequire } from 'node:module'
import path from 'node:path'
import process from 'node:process'
import { listReached } from './_database-suites.js'

const { default: Sequencer } = createRequire(import.meta.url)('@jest/test-sequencer')
const NEEDS_WEIGHTS = path.join('test', '_weights.ts')

/**
 * Begins with the suites that load models. They take longest and are short files, which jest runs last as long as it knows no
 * durations: then one core would wait for the last of them.
 */
// eslint-disable-next-line import/no-default-export -- jest expects one
export default class ModelsFirst extends Sequencer {
  /** @param {import('@jest/test-result').Test[]} tests */
  sort(tests) {
    const sorted = super.sort(tests)
    const loadsModels = (/** @type {import('@jest/test-result').Test} */ test) =>
      listReached(path.relative(process.cwd(), test.path)).has(NEEDS_WEIGHTS)
    return [...sorted.filter(loadsModels), ...sorted.filter((test) => !loadsModels(test))]
  }
}
