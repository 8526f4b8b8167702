import type { PhotoSafetySection } from '../../packs/role-sections.js'

export type ResizeKernel = PhotoSafetySection['input']['resize']['kernel']
export type Channels = readonly [number, number, number]

export interface Size {
  width: number
  height: number
}

/** How a decoded photo becomes the input of an image model: resize, centre crop, normalise. */
export interface ImagePreparation {
  /** `cover` keeps the proportions and just covers the size; `fill` stretches to it. */
  resize: Size & { fit: 'cover' | 'fill'; kernel: ResizeKernel }
  /** Not larger than `resize`. */
  crop: Size
  /** Order of the axes without the batch: channels, height, width. */
  layout: 'nchw' | 'nhwc'
  channelOrder: 'rgb' | 'bgr'
  /** Subtracted from pixel values 0 to 255, in channelOrder. */
  mean: Channels
  /** Factor after the subtraction, in channelOrder. */
  scale: Channels
}

/** The preparation that a photo-safety pack describes. */
export function photoSafetyPreparation({ input }: PhotoSafetySection): ImagePreparation {
  const { width, height, resize, layout, channelOrder, mean, scale } = input
  return { resize, crop: { width, height }, layout, channelOrder, mean, scale }
}
