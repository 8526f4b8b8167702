import { spawnSync } from 'node:child_process'
import { SkippedScenario } from '../../skipped-scenario.js'

/**
 * Looks whether a program can be run.
 * @throws SkippedScenario that names the package which has it
 */
export function requireProgram(program: string, debianPackage: string): void {
  const { error } = spawnSync(program, ['--version'], { stdio: 'ignore' })
  if (error === undefined) return
  throw new SkippedScenario(
    `${program} cannot be run (${error.message}). On Debian: apt-get install ${debianPackage}`,
  )
}
