import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** What an input must not do. The message describes the effect. */
export class Finding extends Error {
  override readonly name = 'Finding'
}

export interface FoundInput {
  target: string
  effect: string
  seed: number
  /** Position in the sequence of the seed, after shrinking. */
  path: string
  input: string
}

/** Writes a finding to a file of its own. Returns the file. */
export function saveFinding(folder: string, number: number, found: FoundInput): string {
  mkdirSync(folder, { recursive: true })
  const file = path.join(folder, `${found.target}-${found.seed}-${number}.txt`)
  const { target, seed, path: position, effect, input } = found
  const again = `npm run fuzz -- --target ${target} --seed ${seed} --path ${position}`
  writeFileSync(file, `${effect}\n\nAgain: ${again}\n\nInput:\n${input}\n`)
  return file
}
