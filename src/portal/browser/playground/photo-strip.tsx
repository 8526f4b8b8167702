import { useState } from 'preact/hooks'
import { PHOTO_LIMITS } from '../../../photos/photo-limits.js'
import type { Person } from './person.js'
import { PHOTO_TYPES, readPhotoFiles } from './photo-file.js'

interface PhotoStripProps {
  person: Person
  onChange: (photos: Person['photos']) => void
}

/** The photos of a person, with an area to drop or choose more. */
export function PhotoStrip({ person, onChange }: PhotoStripProps) {
  const [problems, setProblems] = useState<string[]>([])
  const [isDropping, setDropping] = useState(false)
  const { photos } = person
  const room = PHOTO_LIMITS.maxPhotos - photos.length

  const add = async (files: FileList | null | undefined) => {
    const chosen = await readPhotoFiles([...(files ?? [])], room)
    setProblems(chosen.problems)
    if (chosen.photos.length > 0) onChange([...photos, ...chosen.photos])
  }
  const remove = (index: number) => {
    setProblems([])
    onChange(photos.filter((_photo, i) => i !== index))
  }

  return (
    <fieldset class="photos">
      <legend>Photos</legend>
      <ul
        class={isDropping ? 'photo-strip photo-strip-dropping' : 'photo-strip'}
        onDragOver={(event) => {
          event.preventDefault()
          setDropping(true)
        }}
        onDragLeave={() => setDropping(false)}
        onDrop={(event) => {
          event.preventDefault()
          setDropping(false)
          void add(event.dataTransfer?.files)
        }}
      >
        {photos.map((photo, index) => (
          <li key={index}>
            <img src={photo.dataUrl} alt={`Photo ${index + 1}: ${photo.name}`} />
            <button type="button" class="photo-remove" onClick={() => remove(index)}>
              <span aria-hidden="true">×</span>
              <span class="visually-hidden">Remove photo {index + 1}</span>
            </button>
          </li>
        ))}
        {room > 0 && (
          <li>
            <label class="photo-add">
              <input
                type="file"
                class="visually-hidden"
                accept={PHOTO_TYPES.join()}
                multiple
                onChange={({ currentTarget }) => {
                  void add(currentTarget.files).then(() => (currentTarget.value = ''))
                }}
              />
              <span aria-hidden="true">+</span>
              <span>
                Add<span class="visually-hidden"> photos of {person.name}</span>
              </span>
            </label>
          </li>
        )}
      </ul>
      <div role="status">
        {problems.map((problem) => (
          <p key={problem} class="problem">
            {problem}
          </p>
        ))}
      </div>
    </fieldset>
  )
}
