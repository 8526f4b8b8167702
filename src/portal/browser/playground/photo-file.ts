import { PHOTO_LIMITS } from '../../../photos/photo-limits.js'
import type { Photo } from './person.js'

/** The types that the service accepts in `data:` URLs. */
export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif']

export interface ChosenPhotos {
  photos: Photo[]
  /** Why files were skipped, one sentence each. */
  problems: string[]
}

/**
 * Reads the files that the service accepts. Nothing leaves the page.
 * @param room - how many more photos the person may have
 */
export async function readPhotoFiles(files: readonly File[], room: number): Promise<ChosenPhotos> {
  const problems: string[] = []
  const accepted = files.filter((file) => {
    const problem = describeFileProblem(file)
    if (problem !== undefined) problems.push(`${file.name}: ${problem}`)
    return problem === undefined
  })
  if (accepted.length > room) {
    problems.push(`A person has at most ${PHOTO_LIMITS.maxPhotos} photos. The others were skipped.`)
  }
  const photos = await Promise.all(
    accepted.slice(0, room).map(async (file) => {
      return { name: file.name, dataUrl: await toDataUrl(file) }
    }),
  )
  return { photos, problems }
}

function describeFileProblem(file: File): string | undefined {
  if (!PHOTO_TYPES.includes(file.type)) {
    return 'the service accepts JPEG, PNG, WebP, AVIF and GIF.'
  }
  if (file.size > PHOTO_LIMITS.maxBytes) {
    return `${megabytes(file.size)} is too large. A photo can have at most 10 MB.`
  }
  return file.size === 0 ? 'the file is empty.' : undefined
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

export function toDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(new Error('The photo could not be read.')))
    reader.readAsDataURL(blob)
  })
}
