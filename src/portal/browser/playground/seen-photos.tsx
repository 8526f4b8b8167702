import type { ExplainedPhoto } from '../../../../client/src/index.js'
import { formatPercent } from './format-percent.js'

const MAX_UNCERTAIN_TAGS = 3

interface SeenPhotosProps {
  /** As sent. */
  photos: readonly string[]
  seen: readonly ExplainedPhoto[]
}

/** Each photo with the tags that the service uses, and the most likely of those it is not sure enough of. */
export function SeenPhotos({ photos, seen }: SeenPhotosProps) {
  return (
    <ul class="seen-photos">
      {seen.map(({ photo, tags }) => {
        const asserted = tags.filter((tag) => tag.asserted)
        const uncertain = tags.filter((tag) => !tag.asserted).slice(0, MAX_UNCERTAIN_TAGS)
        return (
          <li key={photo}>
            <img src={photos[photo]} alt={`Photo ${photo + 1}`} />
            <div>
              {asserted.length > 0 ? (
                <ul class="tags" aria-label={`Tags of photo ${photo + 1}`}>
                  {asserted.map(({ tag, probability }) => (
                    <li key={tag} class="badge accent">
                      {tag} {formatPercent(probability)}
                    </li>
                  ))}
                </ul>
              ) : (
                <p>No tag that the service is sure of.</p>
              )}
              <p class="hint">
                Not sure of{' '}
                {uncertain
                  .map(({ tag, probability }) => `${tag} ${formatPercent(probability)}`)
                  .join(', ')}
                .
              </p>
            </div>
          </li>
        )
      })}
    </ul>
  )
}
