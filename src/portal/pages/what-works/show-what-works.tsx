import type { LearningReport } from '../../../learning/learning-report.js'
import { readLearningReport } from '../../../learning/read-report.js'
import { csvReply } from '../../analytics/report-table.js'
import { EnvironmentSwitch } from '../../components/link-switch.js'
import { DoneNotice } from '../../components/notices.js'
import { Page } from '../../layout.js'
import { page, type RouteReply } from '../../reply.js'
import type { MemberVisit } from '../../visit.js'
import { confirmationOf } from './learning-done.js'
import { LearningNotice } from './learning-notice.js'
import { stylesTable, weeksTable } from './learning-tables.js'
import { MethodCard } from './method-card.js'
import { MissingEvidence } from './missing-evidence.js'
import { SettingsCard } from './settings-card.js'
import { StylesCard } from './styles-card.js'
import { TraitsCard } from './traits-card.js'
import { UpliftCard } from './uplift-card.js'
import { UpliftStats } from './uplift-stats.js'
import { WeeksCard } from './weeks-card.js'

export async function showWhatWorks(visit: MemberVisit): Promise<RouteReply> {
  return page(<WhatWorksPage visit={visit} report={await readReport(visit)} />)
}

export async function downloadWeeksByArm(visit: MemberVisit): Promise<RouteReply> {
  return csvReply('uplift-by-week.csv', weeksTable((await readReport(visit)).weeks))
}

export async function downloadLearnedStyles(visit: MemberVisit): Promise<RouteReply> {
  return csvReply('learnt-by-tone-and-style.csv', stylesTable((await readReport(visit)).styles))
}

function readReport({ services, session, environment, now }: MemberVisit): Promise<LearningReport> {
  const { organizationId } = session
  return readLearningReport(services, { organizationId, environment }, now)
}

interface WhatWorksPageProps {
  visit: MemberVisit
  report: LearningReport
}

function WhatWorksPage({ visit, report }: WhatWorksPageProps) {
  const done = confirmationOf(visit.query)
  const { isAllowed, evidence, uplift, weeks, styles, traits } = report
  return (
    <Page
      visit={visit}
      title="What works"
      lead="What the service learnt from replies to your openers, and whether that gets more replies. Days and weeks are in UTC."
      actions={<EnvironmentSwitch visit={visit} />}
      scripts={['draw-charts.ts']}
    >
      {done && <DoneNotice>{done}</DoneNotice>}
      {!(done && isAllowed) && <LearningNotice visit={visit} report={report} />}
      <MissingEvidence report={report} />
      {evidence.sent > 0 && (
        <>
          <UpliftStats report={report} />
          <UpliftCard uplift={uplift} />
        </>
      )}
      {weeks.length > 0 && <WeeksCard visit={visit} weeks={weeks} />}
      {styles.length > 0 && <StylesCard visit={visit} styles={styles} />}
      {traits.length > 0 && <TraitsCard traits={traits} />}
      <MethodCard report={report} />
      <SettingsCard visit={visit} report={report} />
    </Page>
  )
}
