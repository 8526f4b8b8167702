import { isAtLeast } from '../../../accounts/role.js'
import { AdminError } from '../../../core/admin-error.js'
import { ERROR_STATUS, type ErrorCode } from '../../../core/service-error.js'
import { ERROR_MEANINGS } from '../../../openapi/error-meanings.js'
import { createKey } from '../../../organizations/api-key.js'
import { Page } from '../../layout.js'
import { json, page, type RouteReply } from '../../reply.js'
import type { MemberVisit } from '../../visit.js'
import type { PlaygroundKeyAnswer, PlaygroundProps } from './playground-contract.js'

const KEY_LIFETIME_HOURS = 12
const HOUR_MS = 60 * 60 * 1_000

/** The playground itself runs in the browser, which calls the service as a partner does. */
export function showPlayground(visit: MemberVisit): RouteReply {
  const props: PlaygroundProps = {
    mayCreateKey: isAtLeast(visit.session.role, 'developer'),
    formToken: visit.formToken,
    keyLifetimeHours: KEY_LIFETIME_HOURS,
    errorMeanings: Object.fromEntries(
      (Object.keys(ERROR_STATUS) as ErrorCode[]).map((code) => [
        code,
        ERROR_MEANINGS[code].meaning,
      ]),
    ),
  }
  return page(
    <Page
      visit={visit}
      title="Playground"
      lead="Try the three calls with invented people or your own photos. Nothing you enter is stored."
      scripts={['playground.tsx']}
    >
      <div id="playground" data-props={JSON.stringify(props)}>
        <p class="muted">The playground is loading. It needs JavaScript.</p>
      </div>
    </Page>,
  )
}

/** Creates a test key that expires by itself. The page keeps it in memory only. */
export async function createPlaygroundKey(visit: MemberVisit): Promise<RouteReply> {
  try {
    const { apiKey } = await createKey(
      visit.services,
      {
        organizationId: visit.session.organizationId,
        name: `Playground of ${visit.session.signInName}`.slice(0, 100),
        environment: 'test',
        capabilities: ['profile.infer_preferences', 'match.evaluate', 'conversation.openers'],
        expiresAt: visit.now + KEY_LIFETIME_HOURS * HOUR_MS,
      },
      visit.act,
    )
    return json({ apiKey } satisfies PlaygroundKeyAnswer)
  } catch (error) {
    if (!(error instanceof AdminError)) throw error
    return json({ problem: error.message } satisfies PlaygroundKeyAnswer)
  }
}
