import { Card } from '../components/card.js'
import { EnvironmentSwitch } from '../components/link-switch.js'
import { EmptyState } from '../components/notices.js'
import { Page } from '../layout.js'
import { page, type RouteReply } from '../reply.js'
import type { MemberVisit } from '../visit.js'

export function showOverview(visit: MemberVisit): RouteReply {
  return page(
    <Page visit={visit} title="Overview" actions={<EnvironmentSwitch visit={visit} />}>
      <Card>
        <EmptyState title="No calls yet">
          <p>
            What your application calls shows up here. <a href="/docs">The calls</a> are described
            with examples.
          </p>
        </EmptyState>
      </Card>
    </Page>,
  )
}
