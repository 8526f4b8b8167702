import type { TraitEstimate } from '../../../learning/learning-report.js'
import { axisReach, DifferencePlot } from '../../analytics/difference-plot.js'
import { formatPoints } from '../../analytics/format-number.js'
import { TRAIT_LABELS } from '../../analytics/labels.js'
import { Card } from '../../components/card.js'
import { DataTable, type Column } from '../../components/data-table.js'
import { CertaintyBadge } from './certainty-badge.js'
import { judgeTrait } from './certainty.js'

/** What was learnt of the kinds of openers, whatever their style. */
export function TraitsCard({ traits }: { traits: readonly TraitEstimate[] }) {
  const reach = axisReach(traits.map(({ effect }) => effect))
  return (
    <Card title="What was learnt, by kind of opener">
      <p class="method">
        How much the reply rate changes when an opener has the trait, with its style, its tone and
        its other traits left as they are. Short and long are compared with medium lengths, what an
        opener names with naming nothing. Among several good openers of a style, the one with the
        traits that get replies is more likely to be chosen. The line is the 95% interval, on an
        axis from {formatPoints(-reach)} to {formatPoints(reach)} percentage points.
      </p>
      <DataTable
        caption="Effects of traits on the reply rate"
        columns={traitColumns(reach)}
        rows={traits}
        rowKey={({ trait }) => trait}
        stacks
      />
    </Card>
  )
}

function traitColumns(reach: number): Column<TraitEstimate>[] {
  return [
    { label: 'Opener', cell: ({ trait }) => TRAIT_LABELS[trait] },
    { label: 'Finding', cell: (row) => <CertaintyBadge {...judgeTrait(row)} /> },
    {
      label: 'Points',
      cell: ({ effect }) => (
        <div class="interval-cell">
          <DifferencePlot difference={effect} reach={reach} />
          <span class="nowrap">
            {formatPoints(effect.value)} ({formatPoints(effect.low)} to {formatPoints(effect.high)})
          </span>
        </div>
      ),
    },
  ]
}
