import fs from 'node:fs'
import path from 'node:path'
import { OperatorError } from '../../core/operator-error.js'
import { exemplarGroupSchema, type ExemplarGroup } from './exemplar-schema.js'

const EXTENSION = '.jsonl'
/** Ten thousand openers take about 2 MB. */
const MAX_FILE_BYTES = 32 * 1024 ** 2

/**
 * Reads all groups of exemplars in the `.jsonl` files of a folder, in the order of the files' names.
 * @returns nothing if there is no such folder
 * @throws OperatorError naming file and line
 */
export function readExemplars(folder: string): ExemplarGroup[] {
  if (!fs.existsSync(folder)) return []
  const files = fs.readdirSync(folder).filter((file) => file.endsWith(EXTENSION))
  return files.sort().flatMap((file) => readFile(path.join(folder, file)))
}

function readFile(file: string): ExemplarGroup[] {
  if (fs.statSync(file).size > MAX_FILE_BYTES) {
    throw new OperatorError(`${file} is larger than 32 MiB. Divide it into several files.`)
  }
  return fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      line.trim() === '' ? [] : [parseLine(line, `${path.basename(file)}:${index + 1}`)],
    )
}

function parseLine(line: string, place: string): ExemplarGroup {
  const parsed = exemplarGroupSchema.safeParse(parseJson(line, place))
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map(
    (issue) => `${issue.path.join('.') || 'line'}: ${issue.message}`,
  )
  throw new OperatorError(`Exemplars, ${place}: ${problems.join('; ')}`)
}

function parseJson(line: string, place: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new OperatorError(`Exemplars, ${place}: not a JSON object on one line`, { cause })
  }
}
