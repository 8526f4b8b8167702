import type { ComponentChildren } from 'preact'
import { Icon } from './icon.js'

/** Stands in for missing data, and says how to get some. */
export function EmptyState({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty-state">
      <Icon name="empty" />
      <p class="empty-title">{title}</p>
      {children}
    </div>
  )
}

/** Says why something was refused or failed; screen readers announce it at once. */
export function ErrorNotice({ children }: { children: ComponentChildren }) {
  return (
    <div class="notice danger" role="alert">
      <Icon name="warning" />
      <div>{children}</div>
    </div>
  )
}

/** Confirms a change. */
export function DoneNotice({ children }: { children: ComponentChildren }) {
  return (
    <div class="notice positive" role="status">
      <Icon name="done" />
      <div>{children}</div>
    </div>
  )
}
