import fs from 'node:fs/promises'
import path from 'node:path'
import type { Database, DatabasePlace } from '../database/open-database.js'
import { ServiceError } from '../core/service-error.js'
import { OperatorError } from '../core/operator-error.js'
import type { Caller, Capability } from '../organizations/capability.js'
import { createFileOnce } from '../core/create-file-once.js'
import { DEFAULT_PLANS } from './default-plans.js'
import { plansFileSchema, type PlansFile } from './plans-file.js'

/** The plans file is invalid or lacks plans that the database uses; `message` lists every problem, one per line. */
export class PlansError extends OperatorError {}

/** Limits of a plan for one environment and capability. */
export interface CapabilityLimits {
  included: number
  softCap: number
  hardCap: number | undefined
  requestsPerMinute: number
  /** Share of a busy server, relative to others. */
  weight: number
}

export interface Plan {
  name: string
  limits: PlansFile['plans'][string]
}

/** Plans by name, in the order of the file. */
export type Plans = ReadonlyMap<string, Plan>

export function plansFileOf(config: PlansPlace): string {
  return config.plansFile ?? path.join(config.dataDir, 'plans.json')
}

/** Where the plans are. */
export interface PlansPlace extends DatabasePlace {
  plansFile: string | undefined
}

/**
 * Reads the plans file. If none is configured, SQLite has `plans.json` in the data folder, which is created with the default
 * plans; replicas on PostgreSQL share no folder, so they use the default plans.
 * @throws PlansError listing all problems
 */
export async function readPlans(config: PlansPlace): Promise<Plans> {
  if (config.postgres && config.plansFile === undefined) return toPlans(DEFAULT_PLANS)
  const file = plansFileOf(config)
  if (config.plansFile === undefined) {
    await createFileOnce(file, () => `${JSON.stringify(DEFAULT_PLANS, null, 2)}\n`)
  }
  const parsed = plansFileSchema.safeParse(await readJson(file))
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      (issue) => `  ${issue.path.join(' › ')}: ${issue.message}`,
    )
    throw new PlansError(`The plans in ${file} are invalid:\n${problems.join('\n')}`)
  }
  return toPlans(parsed.data)
}

function toPlans({ plans }: PlansFile): Plans {
  return new Map(Object.entries(plans).map(([name, limits]) => [name, { name, limits }]))
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await fs.readFile(file, 'utf8'))
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? 'is not valid JSON' : 'cannot be read'
    throw new PlansError(`The plans file ${file} ${reason}.`, { cause })
  }
}

/**
 * Returns the limits of the caller's plan for a capability.
 * @throws ServiceError `internal_error` if the plan was added to the plans file but not loaded yet
 */
export function limitsOf(
  plans: Plans,
  caller: Pick<Caller, 'plan' | 'environment'>,
  capability: Capability,
): CapabilityLimits {
  const plan = plans.get(caller.plan)
  if (!plan) {
    throw new ServiceError(
      'internal_error',
      'The plan of your organisation is not loaded on this server yet. Ask its operator to reload the plans.',
      { cause: new PlansError(`The plan ${caller.plan} is not loaded. Run: npm run reload`) },
    )
  }
  const limits = plan.limits[caller.environment][capability]
  return {
    included: limits.included,
    softCap: limits.soft_cap,
    hardCap: limits.hard_cap,
    requestsPerMinute: limits.requests_per_minute,
    weight: limits.weight ?? 1,
  }
}

/** @throws PlansError if organisations use plans that do not exist */
export async function checkPlansInUse(db: Database, plans: Plans): Promise<void> {
  const rows = await db.selectFrom('organizations').select('plan').distinct().execute()
  const missing = rows.map(({ plan }) => plan).filter((plan) => !plans.has(plan))
  if (missing.length > 0) {
    throw new PlansError(
      `Organisations use plans that are missing in the plans file: ${missing.join(', ')}. ` +
        'Add these plans, or move the organisations with `plan set`.',
    )
  }
}

/** The plans in use. */
export interface LoadedPlans {
  /** The last valid plans; updated in place by a reload. */
  plans: Plans
  /**
   * Reads the plans again, effective from the next request.
   * @throws PlansError if they are invalid; the previous plans stay in use
   */
  reload: (config: PlansPlace) => Promise<void>
}

/** @throws PlansError */
export async function loadPlans(db: Database, config: PlansPlace): Promise<LoadedPlans> {
  const plans = new Map<string, Plan>()
  const reload: LoadedPlans['reload'] = async (source) => {
    const fresh = await readPlans(source)
    await checkPlansInUse(db, fresh)
    plans.clear()
    for (const [name, plan] of fresh) plans.set(name, plan)
  }
  await reload(config)
  return { plans, reload }
}
