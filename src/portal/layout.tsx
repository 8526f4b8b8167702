import type { ComponentChildren } from 'preact'
import { isAtLeast } from '../accounts/role.js'
import { Icon } from './components/icon.js'
import { PostForm } from './components/post-form.js'
import { NAVIGATION } from './navigation.js'
import type { MemberVisit, Visit } from './visit.js'

interface DocumentProps {
  visit: Visit
  title: string
  /** Modules in `browser/` that the page loads, such as `copy-buttons.ts`. */
  scripts?: readonly string[]
  children: ComponentChildren
}

export interface PageProps extends DocumentProps {
  visit: MemberVisit
  /** One sentence under the title. */
  lead?: ComponentChildren
  /** Controls beside the title, such as `<EnvironmentSwitch>`. */
  actions?: ComponentChildren
}

/** A page for members: menu, title and content. */
export function Page({ visit, title, lead, actions, scripts = [], children }: PageProps) {
  return (
    <Document visit={visit} title={title} scripts={scripts}>
      <a class="skip-link" href="#content">
        Skip to content
      </a>
      <header class="top-bar">
        <Brand />
        <button type="button" class="menu-button" popovertarget="menu">
          <Icon name="menu" />
          Menu
        </button>
      </header>
      <Menu visit={visit} />
      <main id="content" class="content" tabIndex={-1}>
        {visit.services.isSynthetic && (
          <p class="synthetic-banner">
            <strong>Synthetic data.</strong> Every number here was invented for a demonstration.
          </p>
        )}
        <div class="page-head">
          <div>
            <h1>{title}</h1>
            {lead && <p class="lead">{lead}</p>}
          </div>
          {actions && <div class="page-actions">{actions}</div>}
        </div>
        {children}
      </main>
    </Document>
  )
}

/** A page without menu, for people who are not signed in: one centred card. */
export function PlainPage({ visit, title, scripts = [], children }: DocumentProps) {
  return (
    <Document visit={visit} title={title} scripts={scripts}>
      <main id="content" class="plain">
        <Brand />
        <h1>{title}</h1>
        {children}
      </main>
    </Document>
  )
}

function Document({ visit, title, scripts = [], children }: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${title} · Profile Intelligence`}</title>
        <link rel="icon" href={FAVICON} />
        <link rel="stylesheet" href={visit.assetUrl('portal.css')} />
        {scripts.map((script) => (
          <script key={script} type="module" src={visit.assetUrl(script)} />
        ))}
      </head>
      <body>{children}</body>
    </html>
  )
}

function Menu({ visit }: { visit: MemberVisit }) {
  const { session, environment } = visit
  const items = NAVIGATION.filter(({ lowestRole }) => isAtLeast(session.role, lowestRole))
  return (
    // A popover needs no script on narrow screens; on wide ones the style sheet turns it into a sidebar.
    <div id="menu" class="menu" popover="auto">
      <Brand />
      <nav aria-label="Main">
        <ul>
          {items.map(({ path, label, icon }) => (
            <li key={path}>
              <a
                href={`${path}?env=${environment}`}
                aria-current={isCurrentPage(visit, path) ? 'page' : undefined}
              >
                <Icon name={icon} />
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="menu-foot">
        <p class="menu-organization">{session.organizationName}</p>
        <p class="menu-account">
          <a href="/portal/account">{session.signInName}</a>
          <span class="badge">{session.role}</span>
        </p>
        <PostForm visit={visit} action="/portal/sign-out">
          <button type="submit" class="quiet">
            <Icon name="sign-out" />
            Sign out
          </button>
        </PostForm>
      </div>
    </div>
  )
}

function isCurrentPage({ request }: MemberVisit, path: string): boolean {
  const current = request.baseUrl + (request.path === '/' ? '' : request.path)
  return current === path || (path !== '/portal' && current.startsWith(`${path}/`))
}

function Brand() {
  return (
    <a class="brand" href="/portal">
      <svg viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="8" class="brand-ground" />
        <path d={BRAND_PATH} class="brand-mark" />
      </svg>
      <span>Profile Intelligence</span>
    </a>
  )
}

/** Two overlapping speech bubbles. */
const BRAND_PATH =
  'M13 7a8 7 0 0 0-8 7c0 2.3 1.2 4.3 3 5.6V24l4-3.1h1a8 7 0 0 0 2-.3 6 5 0 0 1 5.800-8.100A8 7 0 0 0 13 7Zm8 7a5.500 4.800 0 1 0 .8 9.500L25 26v-3.600A5.500 4.800 0 0 0 21 14Z'

const FAVICON = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3a4fc4"/><path fill="#fff" d="${BRAND_PATH}"/></svg>`,
)}`
