import type { Config } from '../config/config.js'
import type { PostgresSettings } from '../config/postgres-settings.js'
import type { Check } from './check.js'
import { checkAuditLog } from './checks/audit-log.js'
import { checkClock } from './checks/clock.js'
import { checkCores } from './checks/cores.js'
import { checkDatabase } from './checks/database.js'
import { checkDisk } from './checks/disk.js'
import { checkFolders } from './checks/folders.js'
import { checkGpu } from './checks/gpu.js'
import { checkIsolation } from './checks/isolation.js'
import { listLanguageEngineChecks } from './checks/language-engines.js'
import { checkMemory } from './checks/memory.js'
import { checkModelFiles, checkModelLoading } from './checks/models.js'
import { checkNativeModules } from './checks/native-modules.js'
import { checkPlansFile } from './checks/plans-file.js'
import { checkPorts } from './checks/ports.js'
import { checkConnections } from './checks/postgres-connections.js'
import { checkDurability } from './checks/postgres-durability.js'
import { checkProcessor } from './checks/processor.js'
import { checkSecret } from './checks/server-secret.js'
import { listVisionEngineChecks } from './checks/vision-engines.js'

/** All checks of an installation in order: each comes after the checks of what it depends on. */
export function listChecks(config: Config): readonly Check[] {
  return [
    ...MACHINE_CHECKS,
    ...(config.postgres ? postgresChecks(config.postgres) : []),
    ...DATA_CHECKS,
    ...listLanguageEngineChecks(config),
    ...listVisionEngineChecks(config),
    { name: 'model loading', run: checkModelLoading },
  ]
}

function postgresChecks(settings: PostgresSettings): Check[] {
  return [
    { name: 'database connections', run: () => checkConnections(settings) },
    { name: 'database durability', run: () => checkDurability(settings) },
  ]
}

const MACHINE_CHECKS: readonly Check[] = [
  { name: 'processor', run: () => checkProcessor() },
  { name: 'cores', run: (config) => checkCores(config) },
  { name: 'memory', run: (config) => checkMemory(config) },
  { name: 'GPU', run: (config) => checkGpu(config) },
  { name: 'native modules', run: () => checkNativeModules() },
  { name: 'worker isolation', run: (config) => checkIsolation(config) },
  { name: 'folders', run: checkFolders },
  { name: 'disk', run: (config) => checkDisk(config) },
  { name: 'database', run: checkDatabase },
]

const DATA_CHECKS: readonly Check[] = [
  { name: 'server secret', run: checkSecret },
  { name: 'audit log', run: checkAuditLog },
  { name: 'plans', run: checkPlansFile },
  { name: 'clock', run: (config) => checkClock(config) },
  { name: 'ports', run: checkPorts },
  { name: 'model files', run: checkModelFiles },
]
