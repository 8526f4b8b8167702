import fs from 'node:fs'
import { errorCode } from '../core/error-code.js'
import { ConfigError } from './config-error.js'

/**
 * Reads the text file that a variable names.
 * @param read - default: the whole file
 * @throws ConfigError
 */
export function readNamedFile(
  variable: string,
  file: string,
  read = (name: string) => fs.readFileSync(name, 'utf8'),
): string {
  try {
    return read(file)
  } catch (error) {
    const code = errorCode(error) ?? 'unknown error'
    throw new ConfigError(`The file named by ${variable} cannot be read (${code}): ${file}`)
  }
}
