import { Command } from 'commander'
import { addBackupCommands } from './backup/backup-commands.js'
import type { Config } from './config.js'
import { addDataRightsCommands } from './data-rights/data-rights-commands.js'
import { doctorCommand } from './doctor/doctor-command.js'
import { addAuditCommands } from './organizations/admin-audit-commands.js'
import { addKeyCommands } from './organizations/admin-key-commands.js'
import { addOrganizationCommands } from './organizations/admin-organization-commands.js'
import { PROCESS_TERMINAL, type Terminal } from './organizations/admin-output.js'
import { addPlanCommands } from './organizations/admin-plan-commands.js'
import { withAdminSession, type RunAdmin } from './organizations/admin-session.js'
import { addAccountCommands } from './portal/access/admin-account-commands.js'
import { addPurgeCommands } from './retention/purge-commands.js'

/**
 * The operator's commands. They work on the data folder, whether or not the server runs. A refused command throws an
 * OperatorError, wrong usage a CommanderError.
 */
export function adminCommand(config: Config, terminal: Terminal = PROCESS_TERMINAL): Command {
  const admin = new Command('admin')
    .description('Manage organisations, plans and keys; back up, check and clean up the data.')
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
  admin.addCommand(doctorCommand(() => config, terminal))
  addBackupCommands(admin, config, terminal)
  addDataRightsCommands(admin, { config, run, terminal })
  addPurgeCommands(admin, config, terminal)
  return admin
}
