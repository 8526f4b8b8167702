import type { Evidence, InferPreferencesResponse } from '../../../../client/src/index.js'
import { formatPercent } from './format-percent.js'
import { SeenPhotos } from './seen-photos.js'

interface PreferencesResultProps {
  answer: InferPreferencesResponse
  /** As sent. */
  photos: readonly string[]
  onUse: (preferences: InferPreferencesResponse['preferences']) => void
}

/** Both lists with the source of each entry, and the tags of each photo. */
export function PreferencesResult({ answer, photos, onUse }: PreferencesResultProps) {
  const { evidence, explain, preferences } = answer
  return (
    <div class="result">
      <EvidenceTable kind="interest" title="Interests" evidence={evidence} />
      <EvidenceTable kind="lifestyle" title="Lifestyle" evidence={evidence} />
      <div class="button-row">
        <button type="button" onClick={() => onUse(preferences)}>
          Use them in the profile
        </button>
      </div>
      {explain && (
        <>
          <h3>Tags on the photos</h3>
          <SeenPhotos photos={photos} seen={explain.photos} />
        </>
      )}
    </div>
  )
}

interface EvidenceTableProps {
  kind: Evidence['kind']
  title: string
  evidence: readonly Evidence[]
}

function EvidenceTable({ kind, title, evidence }: EvidenceTableProps) {
  const pieces = evidence.filter((piece) => piece.kind === kind)
  return (
    <div>
      <h3>{title}</h3>
      {pieces.length === 0 && <p class="muted">Nothing that the service is sure of.</p>}
      <ul class="tags">
        {pieces.map((piece) => (
          <li key={piece.value + piece.source + piece.photo} class="tag">
            {piece.value}{' '}
            <span class="muted">
              {piece.photo === undefined ? 'bio' : `photo ${piece.photo + 1}`}{' '}
              {formatPercent(piece.confidence)}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
