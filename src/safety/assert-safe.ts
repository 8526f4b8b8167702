import { ServiceError } from '../errors.js'
import type { PhotoAnalysis } from '../inference/vision.js'
import { assessText } from './text-safety.js'

/** @throws ServiceError `unsafe_content` naming the field, never quoting it */
export function assertSafeBio(bio: string, field: string): void {
  if (assessText(bio).safe) return
  throw new ServiceError('unsafe_content', `${field} failed the content safety check.`)
}

/**
 * @param threshold - probability from which a photo counts as unsafe, in [0, 1]
 * @throws ServiceError `unsafe_content` naming the photos by index
 */
export function assertSafePhotos(
  analyses: readonly PhotoAnalysis[],
  field: string,
  threshold: number,
): void {
  const unsafe = analyses.flatMap((analysis, i) =>
    analysis.nsfw >= threshold ? [`${field}[${i}]`] : [],
  )
  if (unsafe.length === 0) return
  throw new ServiceError('unsafe_content', `${unsafe.join(', ')} failed the content safety check.`)
}
