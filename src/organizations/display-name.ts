import { AdminError } from '../core/admin-error.js'

const MAX_LENGTH = 100

/**
 * The name as it is stored. Control characters are refused: names are printed on terminals.
 * @throws AdminError `invalid`
 */
export function parseDisplayName(what: string, text: string): string {
  const name = text.trim()
  if (name === '' || name.length > MAX_LENGTH || /\p{Cc}/u.test(name)) {
    throw new AdminError(
      'invalid',
      `The ${what} must have 1 to ${MAX_LENGTH} characters and no control characters.`,
    )
  }
  return name
}
