import { z } from 'zod'

const SEGMENTS = /^[\w+@-][\w.+@-]*(\/[\w+@-][\w.+@-]*)*$/

/**
 * A relative path of plain names joined by "/". Segments cannot start with a dot, so the path cannot leave its base
 * folder.
 */
export const packPath = z
  .string()
  .max(300)
  .regex(SEGMENTS, 'must be a relative path of plain names, such as onnx/model.onnx')

/** A folder in the pack, or, with the prefix "../", beside it in MODELS_DIR. */
export const siblingFolder = z
  .string()
  .max(300)
  .refine((path) => SEGMENTS.test(path.replace(/^\.\.\//, '')), {
    message: 'must be a folder in the pack (prompts) or beside it in MODELS_DIR (../prompts)',
  })
