import type { MemberVisit } from '../visit.js'

export function CsvLink({ href }: { href: string }) {
  return (
    <a class="csv-link" href={href} download>
      Download as CSV
    </a>
  )
}

/** The URL of a download with the period and environment that the page shows. */
export function csvHref({ query, environment }: MemberVisit, path: string): string {
  const parameters = new URLSearchParams(query)
  parameters.set('env', environment)
  return `/portal${path}?${parameters}`
}
