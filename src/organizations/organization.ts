import type { Database } from '../database/open-database.js'
import { AdminError } from '../core/admin-error.js'
import type { AuditDeps } from './audit-chain.js'
import { recordAudit, type Act } from './audit-log.js'
import { parseDisplayName } from './display-name.js'
import { newId } from './new-id.js'
import { requirePlanName, type PlanNames } from './plan-names.js'
import { transactAudited } from './transact-audited.js'

export interface Organization {
  id: string
  name: string
  plan: string
  /** Milliseconds since the epoch. */
  createdAt: number
}

interface OrganizationDeps extends AuditDeps {
  plans: PlanNames
}

export interface NewOrganization {
  name: string
  plan: string
}

/**
 * Creates an organisation on one of the plans.
 * @throws AdminError `invalid`, `name_taken`; `not_found` if the plan does not exist
 */
export async function createOrganization(
  deps: OrganizationDeps,
  input: NewOrganization,
  act: Act,
): Promise<Organization> {
  return transactAudited(deps.db, (transaction) =>
    insertOrganization({ ...deps, db: transaction }, input, act),
  )
}

/** Like `createOrganization`, within the transaction `deps.db`. */
export async function insertOrganization(
  deps: OrganizationDeps,
  input: NewOrganization,
  act: Act,
): Promise<Organization> {
  const organization = {
    id: newId('org'),
    name: parseDisplayName('name of an organisation', input.name),
    plan: requirePlanName(deps.plans, input.plan),
    createdAt: act.now,
  }
  const { id, name, plan, createdAt: created_at } = organization
  const { numInsertedOrUpdatedRows } = await deps.db
    .insertInto('organizations')
    .values({ id, name, plan, created_at })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) {
    throw new AdminError('name_taken', 'An organisation with that name already exists.')
  }
  await recordAudit(
    deps,
    {
      action: 'organization.created',
      organizationId: id,
      subject: id,
      details: { name, plan },
    },
    act,
  )
  return organization
}

/** Lists all organisations, oldest first. */
export async function listOrganizations(db: Database): Promise<Organization[]> {
  const rows = await db
    .selectFrom('organizations')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .limit(10_000)
    .execute()
  return rows.map(fromRow)
}

/** Finds the organisation with that id or name. */
export async function findOrganization(
  db: Database,
  idOrName: string,
): Promise<Organization | undefined> {
  const row = await db
    .selectFrom('organizations')
    .selectAll()
    .where((where) => where.or([where('id', '=', idOrName), where('name', '=', idOrName)]))
    .executeTakeFirst()
  return row && fromRow(row)
}

/**
 * Moves an organisation to another plan, effective from its next request.
 * @throws AdminError `not_found` if the organisation or plan does not exist
 */
export async function setPlan(
  deps: OrganizationDeps,
  input: { organizationId: string; plan: string },
  act: Act,
): Promise<void> {
  const plan = requirePlanName(deps.plans, input.plan)
  await transactAudited(deps.db, async (transaction) => {
    const before = await transaction
      .selectFrom('organizations')
      .select('plan')
      .where('id', '=', input.organizationId)
      .executeTakeFirst()
    if (!before) throw new AdminError('not_found', 'There is no such organisation.')
    await transaction
      .updateTable('organizations')
      .set({ plan })
      .where('id', '=', input.organizationId)
      .execute()
    await recordAudit(
      { ...deps, db: transaction },
      {
        action: 'organization.plan_changed',
        organizationId: input.organizationId,
        subject: input.organizationId,
        details: { from: before.plan, to: plan },
      },
      act,
    )
  })
}

function fromRow(row: {
  id: string
  name: string
  plan: string
  created_at: number
}): Organization {
  return { id: row.id, name: row.name, plan: row.plan, createdAt: row.created_at }
}
