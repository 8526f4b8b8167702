import { readFile } from 'node:fs/promises'
import { clipPreparation } from '../../../src/inference/encoder/clip-preparation.js'

/** From the Hugging Face export of CLIP ViT-B/32. */
const CLIP = {
  crop_size: { height: 224, width: 224 },
  do_center_crop: true,
  do_convert_rgb: true,
  do_normalize: true,
  do_rescale: true,
  do_resize: true,
  image_mean: [0.48145466, 0.4578275, 0.40821073],
  image_processor_type: 'CLIPFeatureExtractor',
  image_std: [0.26862954, 0.26130258, 0.27577711],
  resample: 3,
  rescale_factor: 1 / 255,
  size: { shortest_edge: 224 },
}

describe('clipPreparation', () => {
  it('covers, crops and normalises pixel values of 0 to 255 for CLIP', () => {
    const preparation = clipPreparation(CLIP, 'nchw')

    expect(preparation).toMatchObject({
      resize: { width: 224, height: 224, fit: 'cover', kernel: 'cubic' },
      crop: { width: 224, height: 224 },
      layout: 'nchw',
      channelOrder: 'rgb',
    })
    for (const channel of [0, 1, 2] as const) {
      const expected = (200 / 255 - CLIP.image_mean[channel]!) / CLIP.image_std[channel]!
      const value = (200 - preparation.mean[channel]) * preparation.scale[channel]
      expect(value).toBeCloseTo(expected, 12)
    }
  })

  it('accepts sizes written as plain numbers, as in older files', () => {
    expect(clipPreparation({ ...CLIP, size: 224, crop_size: 224 }, 'nchw')).toEqual(
      clipPreparation(CLIP, 'nchw'),
    )
  })

  it('stretches for SigLIP, which specifies width and height and no crop', () => {
    const { crop_size: _size, do_center_crop: _crop, ...rest } = CLIP
    const siglip = { ...rest, size: { height: 256, width: 192 }, resample: 2 }

    expect(clipPreparation(siglip, 'nhwc')).toMatchObject({
      resize: { width: 192, height: 256, fit: 'fill', kernel: 'linear' },
      crop: { width: 192, height: 256 },
      layout: 'nhwc',
    })
  })

  it('crops the centre when the crop is smaller than the size', () => {
    const larger = { ...CLIP, size: { shortest_edge: 256 } }

    expect(clipPreparation(larger, 'nchw')).toMatchObject({
      resize: { width: 256, height: 256 },
      crop: { width: 224, height: 224 },
    })
  })

  it('keeps pixel values when rescaling and normalising are off', () => {
    const raw = { ...CLIP, do_rescale: false, do_normalize: false }

    expect(clipPreparation(raw, 'nchw')).toMatchObject({ mean: [0, 0, 0], scale: [1, 1, 1] })
  })

  it('yields (value - 127) / 128 for clip-lite, as its model card states', async () => {
    const file = await readFile('models/clip-lite/preprocessor_config.json', 'utf8')
    const { mean, scale } = clipPreparation(JSON.parse(file), 'nchw')

    for (const channel of [0, 1, 2] as const) {
      expect((0 - mean[channel]) * scale[channel]).toBeCloseTo(-127 / 128, 12)
      expect((255 - mean[channel]) * scale[channel]).toBeCloseTo(1, 12)
    }
  })

  it.each<[string, unknown]>([
    ['a crop larger than the image', { ...CLIP, size: { shortest_edge: 200 } }],
    ['a shortest edge without a crop', { ...CLIP, crop_size: null, do_center_crop: false }],
    ['a resampling filter that sharp lacks', { ...CLIP, resample: 4 }],
    ['no size', { ...CLIP, size: undefined }],
    ['a standard deviation of zero', { ...CLIP, image_std: [0, 1, 1] }],
    ['a file of another kind', []],
  ])('refuses %s', (_what, config) => {
    expect(() => clipPreparation(config, 'nchw')).toThrow(
      expect.objectContaining({ name: 'PackMismatchError' }),
    )
  })
})
