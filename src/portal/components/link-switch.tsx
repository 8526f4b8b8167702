import type { Environment } from '../../organizations/capability.js'
import type { MemberVisit } from '../visit.js'

interface LinkSwitchProps {
  label: string
  options: readonly { label: string; href: string; isChosen: boolean }[]
}

/** A choice made of links: it works without script and stays in the URL. */
export function LinkSwitch({ label, options }: LinkSwitchProps) {
  return (
    <nav class="link-switch" aria-label={label}>
      {options.map((option) => (
        <a key={option.href} href={option.href} aria-current={option.isChosen ? 'true' : undefined}>
          {option.label}
        </a>
      ))}
    </nav>
  )
}

const ENVIRONMENT_LABELS: Record<Environment, string> = { live: 'Live', test: 'Test' }

/** Switches between live and test. */
export function EnvironmentSwitch({ visit }: { visit: MemberVisit }) {
  const options = (['live', 'test'] as const).map((environment) => ({
    label: ENVIRONMENT_LABELS[environment],
    href: withQuery(visit, 'env', environment),
    isChosen: environment === visit.environment,
  }))
  return <LinkSwitch label="Environment" options={options} />
}

interface PeriodSelectorProps<Period extends string> {
  visit: MemberVisit
  /** Labels by the value of `?period=`. */
  periods: Record<Period, string>
  chosen: Period
}

export function PeriodSelector<Period extends string>(props: PeriodSelectorProps<Period>) {
  const options = Object.entries<string>(props.periods).map(([period, label]) => ({
    label,
    href: withQuery(props.visit, 'period', period),
    isChosen: period === props.chosen,
  }))
  return <LinkSwitch label="Period" options={options} />
}

/** The current path and query with one parameter changed. */
export function withQuery({ request, query }: MemberVisit, name: string, value: string): string {
  const changed = new URLSearchParams(query)
  changed.set(name, value)
  return `${request.baseUrl}${request.path === '/' ? '' : request.path}?${changed}`
}
