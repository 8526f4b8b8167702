import { useId } from 'preact/hooks'
import type { Person } from './person.js'
import { PhotoStrip } from './photo-strip.js'
import { SAMPLE_PEOPLE, type SamplePerson } from './sample-people.js'

interface PersonCardProps {
  title: string
  person: Person
  onChange: (person: Person) => void
  onSample: (sample: SamplePerson) => void
}

/** The profile of one person: starts as a sample, and every field can be edited. */
export function PersonCard({ title, person, onChange, onSample }: PersonCardProps) {
  const id = useId()
  const change = (part: Partial<Person>) => onChange({ ...person, ...part })
  return (
    <section class="card person" aria-labelledby={`${id}-title`}>
      <header class="person-head">
        <h2 id={`${id}-title`}>{title}</h2>
        <label>
          <span class="visually-hidden">Sample profile</span>
          <select
            onChange={({ currentTarget }) => {
              const sample = SAMPLE_PEOPLE.find((one) => one.id === currentTarget.value)
              if (sample) onSample(sample)
            }}
          >
            {SAMPLE_PEOPLE.map((sample) => (
              <option key={sample.id} value={sample.id} selected={sample.id === person.id}>
                {sample.name}
              </option>
            ))}
          </select>
        </label>
      </header>
      <PhotoStrip person={person} onChange={(photos) => change({ photos })} />
      <div class="field">
        <label for={`${id}-name`}>Name</label>
        <input
          id={`${id}-name`}
          value={person.name}
          autocomplete="off"
          onInput={({ currentTarget }) => change({ name: currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for={`${id}-bio`}>Bio</label>
        <textarea
          id={`${id}-bio`}
          rows={4}
          value={person.bio}
          onInput={({ currentTarget }) => change({ bio: currentTarget.value })}
        />
      </div>
      {LISTS.map(({ field, label, example }) => (
        <div class="field" key={field}>
          <label for={`${id}-${field}`}>
            {label} <span class="muted">optional, comma-separated</span>
          </label>
          <input
            id={`${id}-${field}`}
            value={person[field]}
            placeholder={example}
            autocomplete="off"
            onInput={({ currentTarget }) => change({ [field]: currentTarget.value })}
          />
        </div>
      ))}
    </section>
  )
}

const LISTS = [
  { field: 'interests', label: 'Interests', example: 'coffee, climbing' },
  { field: 'lifestyle', label: 'Lifestyle', example: 'early riser' },
] as const
