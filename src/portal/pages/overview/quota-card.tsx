import type { Environment } from '../../../organizations/capability.js'
import type { CapabilityQuota } from '../../../usage/quota-report.js'
import { formatDay } from '../../analytics/format-date.js'
import { formatCount, formatShare } from '../../analytics/format-number.js'
import { CAPABILITY_LABELS } from '../../analytics/labels.js'
import { Meter } from '../../analytics/meter.js'
import { Card, Stat } from '../../components/card.js'
import { DataTable } from '../../components/data-table.js'

interface QuotaCardProps {
  environment: Environment
  plan: string
  quota: readonly CapabilityQuota[]
}

/** The month's charged calls against the plan, with a projection to its end. */
export function QuotaCard({ environment, plan, quota }: QuotaCardProps) {
  const title = environment === 'live' ? 'Live quota this month' : 'Test quota this month'
  return (
    <Card title={title} actions={<span class="badge">{`Plan ${plan}`}</span>}>
      <DataTable
        caption={`${title}, by capability`}
        rows={quota}
        rowKey={({ capability }) => capability}
        columns={[
          {
            label: 'Capability',
            cell: ({ capability }) => CAPABILITY_LABELS[capability],
          },
          {
            label: 'Used of included',
            cell: (row) => <UsedOfIncluded {...row} />,
          },
          {
            label: 'By the end of the month',
            cell: (row) => <Projection {...row} />,
          },
        ]}
      />
    </Card>
  )
}

/** The capability that has used the largest share of its plan. */
export function NearestLimit({ quota }: Pick<QuotaCardProps, 'quota'>) {
  const [nearest] = [...quota].sort((left, right) => shareUsed(right) - shareUsed(left))
  if (!nearest) return null
  const { used, limits, forecast } = nearest
  const name = CAPABILITY_LABELS[nearest.capability]
  const isUsedUp = limits.hardCap !== undefined && used >= limits.hardCap
  const refusedAt = forecast?.hardCapReachedAt
  const note = isUsedUp ? 'used up' : refusedAt && `refused from ${formatDay(refusedAt)}`
  return (
    <Stat
      label="Plan used this month"
      value={formatShare(shareUsed(nearest))}
      note={note ? `${name}, ${note}` : `${name}, nearest to its limit`}
      {...(note && { tone: 'danger' as const })}
    />
  )
}

function shareUsed({ used, limits }: CapabilityQuota): number {
  return limits.included === 0 ? 1 : used / limits.included
}

function UsedOfIncluded(row: CapabilityQuota) {
  const { used, limits } = row
  const share = shareUsed(row)
  return (
    <div class="quota-used">
      <span class="nowrap">
        <strong>{formatCount(used)}</strong>
        {` of ${formatCount(limits.included)}`}
        <span class="muted">{` · ${formatShare(share)}`}</span>
      </span>
      <Meter share={share} tone={toneOf(used, limits)} />
    </div>
  )
}

function toneOf(used: number, { included, softCap, hardCap }: CapabilityQuota['limits']) {
  if (used >= (hardCap ?? Infinity) || used > included) return 'danger'
  return used >= softCap ? 'warning' : 'accent'
}

/** How the current month is expected to end. The page explains the method below the cards. */
function Projection({ used, limits, forecast }: CapabilityQuota) {
  const { included, hardCap } = limits
  if (hardCap !== undefined && used >= hardCap) {
    return <span class="badge danger">Used up: calls are refused until next month</span>
  }
  if (!forecast) return <span class="muted">Not enough data yet</span>
  const { expected, hardCapReachedAt, includedReachedAt } = forecast
  return (
    <>
      {`About ${formatCount(expected)}`}
      {hardCapReachedAt !== undefined && (
        <span class="badge danger">{`Refused from ${formatDay(hardCapReachedAt)}`}</span>
      )}
      {hardCapReachedAt === undefined && includedReachedAt !== undefined && (
        <span class="badge warning">{`Above the plan from ${formatDay(includedReachedAt)}`}</span>
      )}
      {hardCap === undefined && used > included && (
        <span class="badge warning">Above the plan</span>
      )}
    </>
  )
}
