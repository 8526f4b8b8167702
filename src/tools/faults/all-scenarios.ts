import type { Scenario } from './scenario.js'
import { backupInterrupted } from './scenarios/backup-interrupted.js'
import { clockJumps } from './scenarios/clock-jumps.js'
import { databaseBeforeStart } from './scenarios/database-before-start.js'
import { databaseVanishes } from './scenarios/database-vanishes.js'
import { descriptorsExhausted } from './scenarios/descriptors-exhausted.js'
import { diskFull } from './scenarios/disk-full.js'
import { diskReadOnly } from './scenarios/disk-read-only.js'
import { doubleStart } from './scenarios/double-start.js'
import { exclusiveLock } from './scenarios/exclusive-lock.js'
import { folderMoved } from './scenarios/folder-moved.js'
import { killServer } from './scenarios/kill-server.js'
import { killWorkers } from './scenarios/kill-workers.js'
import { logAfterKill } from './scenarios/log-after-kill.js'
import { modelDamaged } from './scenarios/model-damaged.js'
import { photoHostsLie } from './scenarios/photo-hosts-lie.js'
import { plansDamaged } from './scenarios/plans-damaged.js'
import { secretDamaged } from './scenarios/secret-damaged.js'
import { signals } from './scenarios/signals.js'
import { startOnBadDisk } from './scenarios/start-on-bad-disk.js'
import { workerHangs } from './scenarios/worker-hangs.js'
import { workerOutOfMemory } from './scenarios/worker-out-of-memory.js'

/** In the order of the table. */
export const ALL_SCENARIOS: readonly Scenario[] = [
  diskFull,
  diskReadOnly,
  startOnBadDisk,
  databaseVanishes,
  folderMoved,
  databaseBeforeStart,
  logAfterKill,
  exclusiveLock,
  secretDamaged,
  plansDamaged,
  killServer,
  killWorkers,
  workerHangs,
  workerOutOfMemory,
  modelDamaged,
  descriptorsExhausted,
  clockJumps,
  photoHostsLie,
  doubleStart,
  backupInterrupted,
  signals,
]
