import { readFileSync } from 'node:fs'

/** Reads a file with one JSON value a line. The caller vouches for the type: use it for files of the project. */
export function readJsonLines<T>(file: string): T[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as T)
}
