import { Command } from 'commander'
import type { Config } from '../config.js'
import { addAuditCommands } from './admin-audit-commands.js'
import { addKeyCommands } from './admin-key-commands.js'
import { addOrganizationCommands } from './admin-organization-commands.js'
import { PROCESS_TERMINAL, type Terminal } from './admin-output.js'
import { addPlanCommands } from './admin-plan-commands.js'
import { withAdminSession, type RunAdmin } from './admin-session.js'

/**
 * The operator's commands on organisations, plans, keys and the audit log. They work on the data folder, whether or
 * not the server runs. A refused command throws an OperatorError, wrong usage a CommanderError.
 */
export function adminCommand(
  config: Pick<Config, 'dataDir' | 'plansFile'>,
  terminal: Terminal = PROCESS_TERMINAL,
): Command {
  const admin = new Command('admin')
    .description('Manage organisations, plans and keys.')
    .configureOutput({
      writeOut: (text) => terminal.out(text),
      writeErr: (text) => terminal.error(text),
    })
    .exitOverride()
  const run: RunAdmin = async (work) => terminal.out(await withAdminSession(config, work))
  addOrganizationCommands(admin, run)
  addPlanCommands(admin, run)
  addKeyCommands(admin, run)
  addAuditCommands(admin, run)
  return admin
}
