import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { PROJECT_FOLDER } from '../project-folder.js'
import { checkDependencies, lockSchema, packageSchema } from '../dependencies/check-dependencies.js'

/** Fails if a dependency has no exact version, no hash, or a licence that docs/dependencies.md does not allow. */

const read = (file: string): unknown =>
  JSON.parse(readFileSync(path.join(PROJECT_FOLDER, file), 'utf8'))
const manifests = ['package.json', 'client/package.json'].map((file) =>
  packageSchema.parse(read(file)),
)
const lock = lockSchema.parse(read('package-lock.json'))
const problems = checkDependencies(manifests, lock)
for (const problem of problems) console.error(problem)
console.log(`${Object.keys(lock.packages).length} packages, ${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
