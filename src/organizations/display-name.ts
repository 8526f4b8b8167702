import { AdminError } from '../core/admin-error.js'

const MAX_LENGTH = 100

/**
 * Trims and validates a name. Control characters are refused, because names are printed on terminals.
 * @param what - description of the name for the error message
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
