import { OperatorError } from './operator-error.js'

/** Why a change to organisations, members or keys is refused. */
export type AdminErrorCode =
  'not_found' | 'name_taken' | 'invalid' | 'not_possible' | 'changed_meanwhile'

/** A refused change; `message` says what to do. */
export class AdminError extends OperatorError {
  readonly code: AdminErrorCode

  constructor(code: AdminErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
