import type { OpenersRequest } from '../../../../client/src/index.js'
import type { Call } from './call.js'
import type { OpenerChoice } from './person.js'

/** Which call to make, and its options. */
export interface CallChoice extends OpenerChoice {
  capability: Call['capability']
  /** Index of the person whose preferences are inferred. */
  inferred: 0 | 1
  allowsSynthetic: boolean
}

export const FIRST_CHOICE: CallChoice = {
  capability: 'conversation.openers',
  inferred: 1,
  tone: 'playful',
  count: 3,
  allowsSynthetic: false,
}

const CAPABILITIES: { value: Call['capability']; label: string; path: string }[] = [
  {
    value: 'profile.infer_preferences',
    label: 'Preferences',
    path: '/v1/profile/infer-preferences',
  },
  { value: 'match.evaluate', label: 'Match', path: '/v1/match/evaluate' },
  { value: 'conversation.openers', label: 'Openers', path: '/v1/conversation/openers' },
]

const TONES = ['playful', 'warm', 'direct', 'witty'] as const satisfies OpenersRequest['tone'][]

interface CallCardProps {
  choice: CallChoice
  names: readonly [string, string]
  isRunning: boolean
  /** Why no call is possible now. */
  obstacle: string | undefined
  onChange: (choice: CallChoice) => void
  onRun: () => void
  onCancel: () => void
}

export function CallCard(props: CallCardProps) {
  const { choice, names, isRunning, obstacle, onChange, onRun, onCancel } = props
  const change = (part: Partial<CallChoice>) => onChange({ ...choice, ...part })
  return (
    <section class="card call-card" aria-label="Call">
      <fieldset class="segments">
        <legend class="visually-hidden">What to call</legend>
        {CAPABILITIES.map(({ value, label }) => (
          <label key={value}>
            <input
              type="radio"
              name="capability"
              checked={choice.capability === value}
              onChange={() => change({ capability: value })}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
      <div class="call-options">
        {choice.capability === 'conversation.openers' && (
          <>
            <p>
              {names[0]} writes to {names[1]}
            </p>
            <Select
              label="Tone"
              options={TONES}
              value={choice.tone}
              onChange={(tone) => change({ tone })}
            />
            <Select
              label="Openers"
              options={[1, 2, 3, 4, 5]}
              value={choice.count}
              onChange={(count) => change({ count })}
            />
          </>
        )}
        {choice.capability === 'match.evaluate' && (
          <p>
            {names[0]} and {names[1]}
          </p>
        )}
        {choice.capability === 'profile.infer_preferences' && (
          <Select
            label="Of"
            options={[0, 1] as const}
            value={choice.inferred}
            name={(index) => names[index]}
            onChange={(inferred) => change({ inferred })}
          />
        )}
        <label class="choice">
          <input
            type="checkbox"
            checked={choice.allowsSynthetic}
            onChange={({ currentTarget }) => change({ allowsSynthetic: currentTarget.checked })}
          />
          <span>Return invented data instead of content errors</span>
        </label>
      </div>
      <div class="call-actions">
        {isRunning ? (
          <button type="button" onClick={onCancel}>
            Cancel
          </button>
        ) : (
          <button
            type="button"
            class="primary"
            aria-disabled={obstacle !== undefined}
            aria-describedby="call-obstacle"
            onClick={() => obstacle === undefined && onRun()}
          >
            Send
          </button>
        )}
        <code class="call-path">
          POST {CAPABILITIES.find(({ value }) => value === choice.capability)?.path}
        </code>
        <p id="call-obstacle" class="muted">
          {obstacle}
        </p>
      </div>
    </section>
  )
}

interface SelectProps<Value> {
  label: string
  options: readonly Value[]
  value: Value
  name?: (value: Value) => string
  onChange: (value: Value) => void
}

function Select<Value extends string | number>(props: SelectProps<Value>) {
  const { label, options, value, name = String, onChange } = props
  return (
    <label class="inline-field">
      <span>{label}</span>
      <select
        onChange={({ currentTarget }) => onChange(options[currentTarget.selectedIndex] as Value)}
      >
        {options.map((option) => (
          <option key={option} selected={option === value}>
            {name(option)}
          </option>
        ))}
      </select>
    </label>
  )
}
