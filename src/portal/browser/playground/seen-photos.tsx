import type { ExplainedPhoto } from '../../../../client/src/index.js'
import { percent } from './percent.js'

const NEXT_BEST = 3

interface SeenPhotosProps {
  /** As they were sent. */
  photos: readonly string[]
  seen: readonly ExplainedPhoto[]
}

/** Each photo with the tags the service builds on, and the next best ones that it is not sure enough of. */
export function SeenPhotos({ photos, seen }: SeenPhotosProps) {
  return (
    <ul class="seen-photos">
      {seen.map(({ photo, tags }) => {
        const asserted = tags.filter((tag) => tag.asserted)
        const others = tags.filter((tag) => !tag.asserted).slice(0, NEXT_BEST)
        return (
          <li key={photo}>
            <img src={photos[photo]} alt={`Photo ${photo + 1}`} />
            <div>
              {asserted.length > 0 ? (
                <ul class="tags" aria-label={`Tags of photo ${photo + 1}`}>
                  {asserted.map(({ tag, probability }) => (
                    <li key={tag} class="badge accent">
                      {tag} {percent(probability)}
                    </li>
                  ))}
                </ul>
              ) : (
                <p>No tag it is sure of.</p>
              )}
              <p class="hint">
                Not sure of{' '}
                {others.map(({ tag, probability }) => `${tag} ${percent(probability)}`).join(', ')}.
              </p>
            </div>
          </li>
        )
      })}
    </ul>
  )
}
