import { z } from 'zod'
import type { ImagePreparation, ResizeKernel } from './image-preparation.js'
import { PackMismatchError } from './pack-mismatch-error.js'

const edge = z.int().min(16).max(4_096)
const box = z.object({ width: edge, height: edge })
const channels = z.tuple([z.number(), z.number(), z.number()])
const deviations = z.tuple([z.number().positive(), z.number().positive(), z.number().positive()])

/** The part of `preprocessor_config.json` that image processors of CLIP and SigLIP exports share. */
const preprocessorConfig = z
  .object({
    size: z.union([
      edge.transform((shortest) => ({ shortest_edge: shortest })),
      z.object({ shortest_edge: edge }),
      box,
    ]),
    resample: z.int().default(3),
    do_center_crop: z.boolean().nullish(),
    crop_size: z.union([edge.transform((side) => ({ width: side, height: side })), box]).nullish(),
    do_rescale: z.boolean().default(true),
    rescale_factor: z
      .number()
      .positive()
      .default(1 / 255),
    do_normalize: z.boolean().default(true),
    image_mean: channels.default([0, 0, 0]),
    image_std: deviations.default([1, 1, 1]),
  })
  .transform((config, context) => {
    const kernel = KERNELS[config.resample]
    if (!kernel) {
      context.addIssue({ code: 'custom', message: `resample ${config.resample} is not supported` })
      return z.NEVER
    }
    const resize = resizeOf(config.size)
    const crops = config.do_center_crop ?? config.crop_size !== undefined
    const crop = (crops ? config.crop_size : box.safeParse(config.size).data) ?? undefined
    if (!crop || crop.width > resize.width || crop.height > resize.height) {
      context.addIssue({ code: 'custom', message: 'crop_size must be given, and fit into size' })
      return z.NEVER
    }
    return { ...config, resize: { ...resize, kernel }, crop }
  })

/** Values of PIL.Image.Resampling. BOX and HAMMING have no counterpart in sharp. */
const KERNELS: Partial<Record<number, ResizeKernel>> = {
  0: 'nearest',
  1: 'lanczos3',
  2: 'linear',
  3: 'cubic',
}

/**
 * Converts a `preprocessor_config.json` in Hugging Face's format to a preparation.
 * @throws PackMismatchError when it is not supported
 */
export function clipPreparation(json: unknown, layout: 'nchw' | 'nhwc'): ImagePreparation {
  const parsed = preprocessorConfig.safeParse(json)
  if (!parsed.success) {
    throw new PackMismatchError(`its preprocessor config: ${z.prettifyError(parsed.error)}`)
  }
  const config = parsed.data
  const factor = config.do_rescale ? config.rescale_factor : 1
  const { image_mean: mean, image_std: std } = config
  const [red, green, blue] = config.do_normalize ? mean : [0, 0, 0]
  const [redStd, greenStd, blueStd] = config.do_normalize ? std : [1, 1, 1]
  return {
    resize: config.resize,
    crop: config.crop,
    layout,
    channelOrder: 'rgb',
    mean: [red / factor, green / factor, blue / factor],
    scale: [factor / redStd, factor / greenStd, factor / blueStd],
  }
}

function resizeOf(size: { shortest_edge: number } | { width: number; height: number }) {
  if ('width' in size) return { ...size, fit: 'fill' as const }
  return { width: size.shortest_edge, height: size.shortest_edge, fit: 'cover' as const }
}
