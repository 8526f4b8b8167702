import type { ComponentChildren } from 'preact'
import { Icon } from './icon.js'

/** What stands where there is nothing to show yet, and how that changes. */
export function EmptyState({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty-state">
      <Icon name="empty" />
      <p class="empty-title">{title}</p>
      {children}
    </div>
  )
}

/** Why something was refused or failed; read out at once. */
export function ErrorNotice({ children }: { children: ComponentChildren }) {
  return (
    <div class="notice danger" role="alert">
      <Icon name="warning" />
      <div>{children}</div>
    </div>
  )
}

/** What was done. */
export function DoneNotice({ children }: { children: ComponentChildren }) {
  return (
    <div class="notice positive" role="status">
      <Icon name="done" />
      <div>{children}</div>
    </div>
  )
}
