import type { WeekByArm } from '../../../learning/learning-report.js'
import { Chart } from '../../analytics/chart.js'
import { ChartNumbers } from '../../analytics/chart-numbers.js'
import { csvHref } from '../../analytics/csv-link.js'
import { Card } from '../../components/card.js'
import type { MemberVisit } from '../../visit.js'
import { weeksTable } from './learning-tables.js'
import { weeksChart } from './weeks-chart.js'

interface WeeksCardProps {
  visit: MemberVisit
  weeks: readonly WeekByArm[]
}

/** Reply rates of both groups by week. */
export function WeeksCard({ visit, weeks }: WeeksCardProps) {
  const { spec, summary } = weeksChart(weeks, visit.now)
  return (
    <Card title="Reply rate by week">
      {spec ? <Chart spec={spec} summary={summary} /> : <p class="chart-state">{summary}</p>}
      <p class="method">
        An opener counts in the week in which it was sent, once its time for replies has passed. The
        band is the 95% Wilson interval of a single week. To judge whether learning helps, use the
        interval at the top of the page, which takes all weeks together.
      </p>
      <ChartNumbers table={weeksTable(weeks)} csvHref={csvHref(visit, '/what-works/weeks.csv')} />
    </Card>
  )
}
