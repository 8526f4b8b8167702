import { replyRateByStyle } from '../../../events/reply-rate-by-style.js'
import { replyRateByTone } from '../../../events/reply-rate-by-tone.js'
import { weeklyReplyRate } from '../../../events/weekly-reply-rate.js'
import { choosePeriod, OPENER_PERIODS, periodLabels } from '../../analytics/period.js'
import { csvReply } from '../../analytics/report-table.js'
import { Card } from '../../components/card.js'
import { EnvironmentSwitch, PeriodSelector } from '../../components/link-switch.js'
import { EmptyState } from '../../components/notices.js'
import { Page } from '../../layout.js'
import { page, type RouteReply } from '../../reply.js'
import type { MemberVisit } from '../../visit.js'
import { ReplyCards } from './reply-cards.js'
import { stylesTable, tonesTable, weeksTable } from './reply-tables.js'

export async function showOpeners(visit: MemberVisit): Promise<RouteReply> {
  const { period, query } = chooseQuery(visit)
  const { db } = visit.services
  const styles = await replyRateByStyle(db, query)
  const hasSent = styles.some(({ sent }) => sent > 0)
  return page(
    <Page
      visit={visit}
      title="Openers"
      lead={
        <>
          Which openers your users send, and which get replies. Days and weeks are in UTC. What the
          service learns from them is under{' '}
          <a href={`/portal/what-works?env=${visit.environment}`}>What works</a>.
        </>
      }
      actions={
        <>
          <PeriodSelector
            visit={visit}
            periods={periodLabels(OPENER_PERIODS)}
            chosen={period.name}
          />
          <EnvironmentSwitch visit={visit} />
        </>
      }
      scripts={['draw-charts.ts']}
    >
      {hasSent ? (
        <ReplyCards
          visit={visit}
          phrase={period.phrase}
          styles={styles}
          tones={await replyRateByTone(db, query)}
          weeks={await weeklyReplyRate(db, query)}
        />
      ) : (
        <NoOpeners phrase={period.phrase} />
      )}
    </Page>,
  )
}

export async function downloadStyles(visit: MemberVisit): Promise<RouteReply> {
  const rates = await replyRateByStyle(visit.services.db, chooseQuery(visit).query)
  return csvReply('reply-rate-by-style.csv', stylesTable(rates))
}

export async function downloadTones(visit: MemberVisit): Promise<RouteReply> {
  const rates = await replyRateByTone(visit.services.db, chooseQuery(visit).query)
  return csvReply('reply-rate-by-tone.csv', tonesTable(rates))
}

export async function downloadWeeks(visit: MemberVisit): Promise<RouteReply> {
  const weeks = await weeklyReplyRate(visit.services.db, chooseQuery(visit).query)
  return csvReply('reply-rate-by-week.csv', weeksTable(weeks))
}

function chooseQuery(visit: MemberVisit) {
  const period = choosePeriod(OPENER_PERIODS, visit, '90d')
  const { environment, session } = visit
  const { organizationId } = session
  return { period, query: { organizationId, environment, from: period.from, to: period.to } }
}

function NoOpeners({ phrase }: { phrase: string }) {
  return (
    <Card>
      <EmptyState title={`No openers sent in ${phrase}`}>
        <p>
          Report <code>opener_sent</code> and <code>conversation_reply</code> to{' '}
          <a href="/docs">POST /v1/events</a>, and reply rates appear here.
        </p>
      </EmptyState>
    </Card>
  )
}
