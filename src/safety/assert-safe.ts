import { ServiceError } from '../core/service-error.js'
import type { PhotoAnalysis } from '../inference/encoder/vision.js'
import type { InferenceCall } from '../inference/inference-call.js'
import type { Metrics } from '../telemetry/metrics.js'
import type { BioSafety } from './bio-safety.js'

export interface SubmittedBio {
  bio: string
  /** Path in the request, such as `recipient.bio`; errors name it. */
  field: string
}

/** @throws ServiceError `unsafe_content` naming field and category, never quoting the bio */
export async function assertSafeBio(
  { bioSafety, metrics }: { bioSafety: BioSafety; metrics: Pick<Metrics, 'refusedBios'> },
  { bio, field }: SubmittedBio,
  call: InferenceCall,
): Promise<void> {
  const risk = await bioSafety.findRisk(bio, call)
  if (risk === undefined) return
  metrics.refusedBios.inc({ category: risk })
  throw new ServiceError(
    'unsafe_content',
    `${field} failed the content safety check (${risk.replace('_', ' ')}).`,
  )
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
