import { Command } from 'commander'
import { addBackupCommands } from './backup-commands.js'
import type { Config } from '../config/config.js'
import { addDataRightsCommands } from './data-rights-commands.js'
import { doctorCommand } from './doctor-command.js'
import { addAuditCommands } from './audit-commands.js'
import { addLearningCommands } from './learning-commands.js'
import { addKeyCommands } from './key-commands.js'
import { addOrganizationCommands } from './organization-commands.js'
import { PROCESS_TERMINAL, type Terminal } from './terminal.js'
import { addPlanCommands } from './plan-commands.js'
import { withAdminSession, type RunAdmin } from './admin-session.js'
import { addAccountCommands } from './account-commands.js'
import { addPurgeCommands } from './purge-commands.js'
import { addTransferCommand } from './transfer-command.js'

/**
 * The operator's commands. They work directly on the data folder, whether or not the server is running. A refused
 * command throws an OperatorError, wrong usage a CommanderError.
 */
export function adminCommand(config: Config, terminal: Terminal = PROCESS_TERMINAL): Command {
  const admin = new Command('admin')
    .description('Manage organisations, plans, keys and members; diagnose, back up and purge data.')
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
  addAccountCommands(admin, run, config)
  addLearningCommands(admin, { config, run, terminal })
  admin.addCommand(doctorCommand(() => config, terminal))
  addBackupCommands(admin, config, terminal)
  addTransferCommand(admin, config, terminal)
  addDataRightsCommands(admin, { config, run, terminal })
  addPurgeCommands(admin, config, terminal)
  return admin
}
