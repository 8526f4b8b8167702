import { z } from 'zod'

const SEGMENTS = /^[\w+@-][\w.+@-]*(\/[\w+@-][\w.+@-]*)*$/

/**
 * A path of plain names joined by "/". A segment never begins with a dot and no path with a "/", so
 * that it cannot leave the folder it is relative to.
 */
export const packPath = z
  .string()
  .max(300)
  .regex(SEGMENTS, 'must be a relative path of plain names, such as onnx/model.onnx')

/** A folder in the pack, or beside it in MODELS_DIR when it begins with "../". */
export const siblingFolder = z
  .string()
  .max(300)
  .refine((path) => SEGMENTS.test(path.replace(/^\.\.\//, '')), {
    message: 'must be a folder in the pack (prompts) or beside it in MODELS_DIR (../prompts)',
  })
