import fs from 'node:fs'
import path from 'node:path'
import type { z } from 'zod'
import { OperatorError } from '../core/operator-error.js'

const EXTENSION = '.jsonl'
/** Ten thousand openers take about 2 MB. */
const MAX_FILE_BYTES = 32 * 1024 ** 2

/** A line of a file, with its file and number for messages. */
export interface PlacedLine<T> {
  value: T
  /** Name of the file, without its folder. */
  file: string
  /** Such as `likes.jsonl:12`. */
  place: string
}

export interface LineFormat<T> {
  /** What messages begin with, such as "Exemplars". */
  title: string
  /** @throws OperatorError for a file that does not belong there */
  schemaOf: (file: string) => z.ZodType<T>
}

/**
 * Reads the `.jsonl` files of a folder, in the order of their names: one JSON object a line, empty lines aside.
 * @returns nothing if there is no such folder
 * @throws OperatorError naming file and line
 */
export function readLineFiles<T>(folder: string, format: LineFormat<T>): PlacedLine<T>[] {
  if (!fs.existsSync(folder)) return []
  const files = fs.readdirSync(folder).filter((file) => file.endsWith(EXTENSION))
  return files.sort().flatMap((file) => readFile(path.join(folder, file), format))
}

function readFile<T>(filePath: string, { title, schemaOf }: LineFormat<T>): PlacedLine<T>[] {
  const file = path.basename(filePath)
  const schema = schemaOf(file)
  if (fs.statSync(filePath).size > MAX_FILE_BYTES) {
    throw new OperatorError(`${filePath} is larger than 32 MiB. Divide it into several files.`)
  }
  return fs
    .readFileSync(filePath, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return []
      const place = `${file}:${index + 1}`
      return [{ value: parseLine(line, schema, `${title}, ${place}`), file, place }]
    })
}

function parseLine<T>(line: string, schema: z.ZodType<T>, where: string): T {
  const parsed = schema.safeParse(parseJson(line, where))
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.join('.') || 'line'}: ${issue.message}`,
  )
  throw new OperatorError(`${where}: ${problems.join('; ')}`)
}

function parseJson(line: string, where: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new OperatorError(`${where}: not a JSON object on one line`, { cause })
  }
}
