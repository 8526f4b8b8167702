import path from 'node:path'
import process from 'node:process'
import { readMatchReasons } from '../../match/reasons/read-match-reasons.js'
import { PROJECT_FOLDER } from '../project-folder.js'
import { findProblems } from './reasons/find-problems.js'

/**
 * Checks match reasons written by hand: `npm run reasons:check -- [folder]`. Every sentence must pass the checks of form and
 * safety that the language model's must pass, name what both have and nothing else, and say that both are meant.
 */

const folder = process.argv[2] ?? path.join(PROJECT_FOLDER, 'models', 'match-reasons')
const written = readMatchReasons(folder)
const { entries, pairs, patterns } = written
const problems = findProblems(written)
for (const problem of problems) console.error(problem)
const lines = [...entries, ...pairs, ...patterns]
const texts = lines.flatMap(({ value }) => value.reasons)
console.log(
  `${texts.length} reasons for ${entries.length} entries, ${pairs.length} pairs and ${patterns.length} patterns, ${problems.length} problems`,
)
process.exitCode = problems.length === 0 && texts.length > 0 ? 0 : 1
