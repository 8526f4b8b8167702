import { OperatorError } from './operator-error.js'

/** Why an operator's or a partner's request to change organisations or keys is refused. */
export type AdminErrorCode =
  'not_found' | 'name_taken' | 'invalid' | 'not_possible' | 'changed_meanwhile'

/** A refused change; `message` tells a person what to do. */
export class AdminError extends OperatorError {
  readonly code: AdminErrorCode

  constructor(code: AdminErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
