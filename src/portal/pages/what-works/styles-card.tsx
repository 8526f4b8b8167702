import type { StyleEstimate } from '../../../learning/learning-report.js'
import { csvHref, CsvLink } from '../../analytics/csv-link.js'
import { axisTop, IntervalPlot } from '../../analytics/interval-plot.js'
import { listTones, TONE_LABELS } from '../../analytics/labels.js'
import { Card } from '../../components/card.js'
import { DataTable, type Column } from '../../components/data-table.js'
import type { MemberVisit } from '../../visit.js'
import { CertaintyBadge } from './certainty-badge.js'
import { judgeStyle } from './certainty.js'
import { stylesTable } from './learning-tables.js'

interface StylesCardProps {
  visit: MemberVisit
  styles: readonly StyleEstimate[]
}

/** What was learnt of each style, one table a tone. */
export function StylesCard({ visit, styles }: StylesCardProps) {
  const { rows, rowKey } = stylesTable(styles)
  const top = axisTop(styles.map(({ replyRate }) => ({ interval: replyRate })))
  const columns = styleColumns(styles, top)
  return (
    <Card
      title="What was learnt, by tone and style"
      actions={<CsvLink href={csvHref(visit, '/what-works/styles.csv')} />}
    >
      <p class="method">
        Each style is compared with the average of its tone: “clearly” stands for a probability
        above 97.5%, “probably” for one above 80%. Reply rates are estimates with 95% intervals, on
        an axis from 0 to {Math.round(top * 100)}%; with few openers they are drawn towards the
        middle. “Written first” is how often the style now comes first when a profile has material
        for all of them.
      </p>
      {listTones().map((tone) => (
        <section key={tone} class="tone-section">
          <h3>{TONE_LABELS[tone]}</h3>
          <DataTable
            caption={`Styles in the tone ${TONE_LABELS[tone].toLowerCase()}`}
            columns={columns}
            rows={rows.filter((row) => row.tone === tone)}
            rowKey={rowKey}
            stacks
          />
        </section>
      ))}
    </Card>
  )
}

function styleColumns(styles: readonly StyleEstimate[], top: number): Column<StyleEstimate>[] {
  const [, style, against, rate, first, sent] = stylesTable(styles).columns
  if (!style || !against || !rate || !first || !sent) return []
  return [
    { label: style.label, cell: style.text },
    { label: against.label, cell: (row) => <CertaintyBadge {...judgeStyle(row)} /> },
    {
      label: rate.label,
      cell: (row) => (
        <div class="interval-cell">
          <IntervalPlot rate={{ rate: row.replyRate.value, interval: row.replyRate }} top={top} />
          <span class="nowrap">{rate.text(row)}</span>
        </div>
      ),
    },
    ...[first, sent].map(({ label, text }) => ({ label, numeric: true, cell: text })),
  ]
}
