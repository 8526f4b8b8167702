import { OperatorError } from '../core/operator-error.js'

/**
 * `unknown_pack`: no such folder. `invalid_manifest`: its pack.json does not fit the schema. `wrong_role`:
 * the pack is not of the kind asked for. `missing`, `corrupt`, `not_verified`: a file is not there, is not
 * the one described, or nobody has said yet which one it must be. `pull_failed`: no source gave the file.
 * `storage`: the disk is full or MODELS_DIR cannot be written.
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

/** A model pack that cannot be used; `message` tells the operator what to do about it. */
export class PackError extends OperatorError {
  readonly code: PackErrorCode

  constructor(code: PackErrorCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'PackError'
    this.code = code
  }
}
