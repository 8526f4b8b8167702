import { OperatorError } from '../core/operator-error.js'

/**
 * `unknown_pack`: no such folder. `invalid_manifest`: pack.json does not fit the schema. `wrong_role`: the pack has
 * another role than required. `missing`, `corrupt`, `not_verified`: a file is missing, has another hash than expected, or
 * has no expected hash yet. `pull_failed`: no source provided the file. `storage`: the disk is full or MODELS_DIR cannot
 * be read or written.
 */
export type PackErrorCode =
  | 'unknown_pack'
  | 'invalid_manifest'
  | 'wrong_role'
  | 'missing'
  | 'corrupt'
  | 'not_verified'
  | 'pull_failed'
  | 'storage'

/** A model pack cannot be used; `message` says what to do. */
export class PackError extends OperatorError {
  readonly code: PackErrorCode

  constructor(code: PackErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'PackError'
    this.code = code
  }
}
