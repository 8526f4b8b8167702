import { readFile } from 'node:fs/promises'
import path from 'node:path'
import sharp from 'sharp'
import { PROJECT_FOLDER } from '../../project-folder.js'
import type { PhotoSeed } from './mutate-photo.js'

const FILES = ['cat.jpg', 'coffee.jpg']
const EDGE = 160

/** Bundled photos in every accepted format, in the variants that take other paths through the decoders. */
export async function createPhotoSeeds(): Promise<PhotoSeed[]> {
  const seeds = await Promise.all(FILES.map((file) => encodeAll(file)))
  return seeds.flat()
}

async function encodeAll(file: string): Promise<PhotoSeed[]> {
  const original = await readFile(path.join(PROJECT_FOLDER, 'examples', 'photos', file))
  const small = () => sharp(original).resize(EDGE, EDGE, { fit: 'cover' })
  const transparent = () => small().ensureAlpha(0.5)
  return [
    { format: 'jpeg', bytes: original },
    { format: 'jpeg', bytes: await small().withMetadata({ orientation: 6 }).jpeg().toBuffer() },
    { format: 'jpeg', bytes: await small().jpeg({ progressive: true }).toBuffer() },
    { format: 'jpeg', bytes: await small().toColourspace('cmyk').jpeg().toBuffer() },
    { format: 'png', bytes: await transparent().png().toBuffer() },
    { format: 'png', bytes: await small().png({ palette: true, progressive: true }).toBuffer() },
    { format: 'webp', bytes: await transparent().webp({ quality: 60 }).toBuffer() },
    { format: 'webp', bytes: await small().webp({ lossless: true }).toBuffer() },
    { format: 'avif', bytes: await small().avif({ effort: 0 }).toBuffer() },
    { format: 'gif', bytes: await small().gif({ effort: 1 }).toBuffer() },
  ]
}

/** A small photo as a `data:` URL. */
export async function smallPhotoUrl(file = 'cat.jpg'): Promise<string> {
  const original = await readFile(path.join(PROJECT_FOLDER, 'examples', 'photos', file))
  const bytes = await sharp(original).resize(64, 64, { fit: 'cover' }).jpeg().toBuffer()
  return `data:image/jpeg;base64,${bytes.toString('base64')}`
}
