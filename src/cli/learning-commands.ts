import { InvalidArgumentError, Option, type Command } from 'commander'
import type { Config } from '../config/config.js'
import { OperatorError } from '../core/operator-error.js'
import type { EventScope } from '../events/event-scope.js'
import { changeLearning, type LearningChange } from '../learning/change-settings.js'
import type { LearningReport } from '../learning/learning-report.js'
import { CONTROL_PERCENT } from '../learning/learning-settings.js'
import { readLearningReport } from '../learning/read-report.js'
import { recomputeEvidence } from '../learning/recompute-evidence.js'
import { ENVIRONMENTS, type Environment } from '../organizations/capability.js'
import { requireOrganization, type AdminSession, type RunAdmin } from './admin-session.js'
import { formatRecord, isoTime, type Row, type Terminal } from './terminal.js'

interface ScopeOptions {
  organization: string
  environment: Environment
  json?: boolean
}

interface Tools {
  config: Pick<Config, 'learning'>
  run: RunAdmin
  terminal: Terminal
}

/** Adds the commands that show and change what an environment learns. A running server follows within a minute. */
export function addLearningCommands(admin: Command, { config, run, terminal }: Tools): void {
  const learning = admin
    .command('learning')
    .description('Show and change what is learnt from reported outcomes.')
  const show = (session: AdminSession, scope: EventScope) =>
    readLearningReport({ ...session, config }, scope, session.act.now)
  const add = (name: string, description: string) => addScoped(learning, name, description)
  const addChange = (name: string, description: string, change: LearningChange) =>
    add(name, description).action((options: ScopeOptions) => applyChange(options, change))

  const applyChange = (options: ScopeOptions, change: LearningChange) =>
    run(async (session) => {
      const scope = await requireScope(session, options)
      await changeLearning(session, scope, change, session.act)
      return formatRecord(reportRow(await show(session, scope)), options)
    })

  add('show', 'Show the settings, the evidence and the uplift.').action((options: ScopeOptions) =>
    run(async (session) => {
      const scope = await requireScope(session, options)
      return formatRecord(reportRow(await show(session, scope)), options)
    }),
  )
  add('set', 'Set the share of the control group; another share restarts the comparison.')
    .requiredOption('--control-percent <percent>', describeRange(), parsePercent)
    .action((options: ScopeOptions & { controlPercent: number }) =>
      applyChange(options, { controlPercent: options.controlPercent }),
    )
  addChange('resume', 'Learn, and choose by what was learnt.', { state: 'on' })
  addChange('pause', 'Choose by what was learnt until now, and learn nothing new.', {
    state: 'paused',
  })
  addChange('off', 'Neither learn nor choose by what was learnt.', { state: 'off' })
  add('reset', 'Delete what was learnt and restart the comparison; openers of earlier calls stay.')
    .option('--yes', 'do not ask for confirmation')
    .action(async (options: ScopeOptions & { yes?: boolean }) => {
      if (!options.yes) await confirm(options, terminal)
      await applyChange(options, { reset: true })
    })
  add('recompute', 'Compute the counts again from the stored calls and their outcomes.').action(
    (options: ScopeOptions) =>
      run(async (session) => {
        const scope = await requireScope(session, options)
        return formatRecord({ ...(await recomputeEvidence(session.db, scope)) }, options)
      }),
  )
}

function addScoped(learning: Command, name: string, description: string): Command {
  return learning
    .command(name)
    .description(description)
    .requiredOption('--organization <organization>', 'id or name')
    .addOption(
      new Option('--environment <environment>', 'environment of the keys')
        .choices(ENVIRONMENTS)
        .makeOptionMandatory(),
    )
    .option('--json', 'print JSON')
}

async function requireScope(
  { db }: AdminSession,
  { organization, environment }: ScopeOptions,
): Promise<EventScope> {
  const { id } = await requireOrganization(db, organization)
  return { organizationId: id, environment }
}

async function confirm({ organization }: ScopeOptions, terminal: Terminal): Promise<void> {
  const question = `What "${organization}" has learnt will be deleted. To go on, type its name or id as above: `
  if ((await terminal.ask?.(question)) === organization) return
  throw new OperatorError('Nothing was reset: the names differ. Try again, or use --yes.')
}

function reportRow({ isAllowed, settings, evidence, uplift, exploration }: LearningReport): Row {
  const { difference } = uplift
  return {
    state: isAllowed ? settings.state : 'off (LEARNING=false)',
    control_percent: settings.controlPercent,
    openers: evidence.sent,
    openers_after_fading: evidence.effective,
    openers_needed: evidence.needed,
    openers_waiting_for_replies: evidence.waiting,
    learns_since: isoTime(evidence.since ?? null),
    compared_since: isoTime(uplift.since ?? null),
    reply_rate_learned: rateOf(uplift.learned),
    reply_rate_control: rateOf(uplift.control),
    uplift: difference?.value ?? null,
    uplift_from: difference?.low ?? null,
    uplift_to: difference?.high ?? null,
    exploration,
  }
}

function rateOf({ sent, replied }: { sent: number; replied: number }): number | null {
  return sent > 0 ? replied / sent : null
}

function describeRange(): string {
  return `from ${CONTROL_PERCENT.min} to ${CONTROL_PERCENT.max}`
}

function parsePercent(text: string): number {
  const percent = Number(text)
  const { min, max } = CONTROL_PERCENT
  if (Number.isInteger(percent) && percent >= min && percent <= max) return percent
  throw new InvalidArgumentError(`It must be a whole number ${describeRange()}.`)
}
