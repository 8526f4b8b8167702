import { errorCode } from '../core/error-code.js'
import { PackError } from './pack-error.js'

const ADVICE: Record<string, string> = {
  ENOSPC: 'The disk is full. Free some space, or set MODELS_DIR to a folder on another disk',
  EDQUOT:
    'The disk quota is used up. Free some space, or set MODELS_DIR to a folder on another disk',
  EACCES: 'Permission denied. Make MODELS_DIR writable for the current user',
  EPERM: 'Permission denied. Make MODELS_DIR writable for the current user',
  EROFS:
    'The file system is read-only. Mount MODELS_DIR writable, or pull the models before mounting',
}

/** Converts a failure to write in MODELS_DIR to a PackError with advice; returns any other error unchanged. */
export function toStorageError(error: unknown, modelsDir: string): unknown {
  if (error instanceof PackError) return error
  const advice = ADVICE[errorCode(error) ?? '']
  return advice ? new PackError('storage', `${advice} (${modelsDir}).`, { cause: error }) : error
}
