import { errorCode } from './error-code.js'
import { PackError } from './pack-error.js'

const ADVICE: Record<string, string> = {
  ENOSPC: 'The disk is full. Free some space or set MODELS_DIR to another disk',
  EDQUOT: 'The disk quota is used up. Free some space or set MODELS_DIR to another disk',
  EACCES: 'Permission denied. Make MODELS_DIR writable for the user that runs this',
  EPERM: 'Permission denied. Make MODELS_DIR writable for the user that runs this',
  EROFS: 'The file system is read-only. Mount MODELS_DIR writable, or pull before mounting it',
}

/** A failure to write below MODELS_DIR, in words that help; any other error as it is. */
export function toStorageError(error: unknown, modelsDir: string): unknown {
  if (error instanceof PackError) return error
  const advice = ADVICE[errorCode(error) ?? '']
  return advice ? new PackError('storage', `${advice} (${modelsDir}).`, { cause: error }) : error
}
