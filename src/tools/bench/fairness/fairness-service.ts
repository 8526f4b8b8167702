import { setTimeout as sleep } from 'node:timers/promises'
import { withAdminSession } from '../../../cli/admin-session.js'
import { DEFAULT_PLANS } from '../../../metering/default-plans.js'
import { createKey } from '../../../organizations/api-key.js'
import { CAPABILITIES, type Capability } from '../../../organizations/capability.js'
import { createOrganization } from '../../../organizations/organization.js'
import { startService, type RunningService, type ServiceAddress } from '../service/start-service.js'
import type { AttackTarget } from './attack.js'

const PLAN = 'growth'
const CALM_TIMEOUT_MS = 30_000
const CALM_INTERVAL_MS = 250
/** Looks without work in a row that count as calm. */
const CALM_LOOKS = 4

/** A running service with two organisations on the same plan, besides the first one, whose plan has no limits. */
export interface FairnessService extends RunningService {
  victim: ServiceAddress
  attacker: AttackTarget
}

/** Starts the service with live keys for an attacker and a victim; it may fetch photos from the loopback interface. */
export async function startFairnessService(): Promise<FairnessService> {
  const environment = {
    PHOTO_ALLOW_HTTP: 'true',
    PHOTO_ALLOW_CIDR: '127.0.0.0/8',
    LOG_LEVEL: 'error',
  }
  const service = await startService(environment, { plans: DEFAULT_PLANS.plans })
  const { baseUrl } = service
  const [victimKey, attackerKey] = await createOrganizations(service, ['Victim', 'Attacker'])
  return {
    ...service,
    victim: { baseUrl, apiKey: victimKey! },
    attacker: { baseUrl, apiKey: attackerKey!, requestsPerMinute: readRateLimits() },
  }
}

/** Returns a live key of each. */
function createOrganizations(
  { dataDir }: RunningService,
  names: readonly string[],
): Promise<string[]> {
  return withAdminSession(
    { dataDir, plansFile: undefined, requireDatabase: true },
    async (session) => {
      const keys: string[] = []
      for (const name of names) {
        const { id } = await createOrganization(session, { name, plan: PLAN }, session.act)
        const key = {
          organizationId: id,
          name,
          environment: 'live',
          capabilities: CAPABILITIES,
        } as const
        keys.push((await createKey(session, key, session.act)).apiKey)
      }
      return keys
    },
  )
}

/** Requests a minute that the plan allows, by capability. */
export function readRateLimits(): Record<Capability, number> {
  const limits = DEFAULT_PLANS.plans[PLAN]!.live
  return Object.fromEntries(
    CAPABILITIES.map((capability) => [capability, limits[capability].requests_per_minute]),
  ) as Record<Capability, number>
}

/**
 * Waits until the service has no calls waiting or in progress for a second.
 * @returns seconds that it took, undefined when the service is not calm after half a minute
 */
export async function waitUntilCalm(service: RunningService): Promise<number | undefined> {
  const startedAt = performance.now()
  const deadline = startedAt + CALM_TIMEOUT_MS
  let looks = 0
  while (performance.now() < deadline) {
    looks = (await hasWork(service)) ? 0 : looks + 1
    if (looks === CALM_LOOKS) return (performance.now() - startedAt) / 1_000
    await sleep(CALM_INTERVAL_MS)
  }
  return undefined
}

async function hasWork(service: RunningService): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(CALM_TIMEOUT_MS)
    const ready = await fetch(`${service.baseUrl}/readyz`, { signal })
    const metrics = await service.readMetrics()
    const gauges = metrics.matchAll(/^pis_requests_(?:in_progress|waiting)\{[^}]*\} (\d+)/gm)
    return !ready.ok || [...gauges].some(([, count]) => Number(count) > 0)
  } catch {
    return true
  }
}
