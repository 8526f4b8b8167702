import type { ComponentChildren } from 'preact'

interface CardProps {
  title?: string
  /** Controls beside the title. */
  actions?: ComponentChildren
  children: ComponentChildren
}

export function Card({ title, actions, children }: CardProps) {
  return (
    <section class="card" aria-label={title}>
      {(title || actions) && (
        <div class="card-head">
          {title && <h2>{title}</h2>}
          {actions}
        </div>
      )}
      {children}
    </section>
  )
}

interface StatProps {
  label: string
  value: string
  /** One line below, such as a comparison. */
  note?: ComponentChildren
  tone?: 'positive' | 'warning' | 'danger'
}

/** A number with its label; goes into `<StatRow>`. */
export function Stat({ label, value, note, tone }: StatProps) {
  return (
    <div class={`stat ${tone ?? ''}`}>
      <dt>{label}</dt>
      <dd>
        <span class="stat-value">{value}</span>
        {note && <span class="stat-note">{note}</span>}
      </dd>
    </div>
  )
}

export function StatRow({ children }: { children: ComponentChildren }) {
  return <dl class="stat-row">{children}</dl>
}
