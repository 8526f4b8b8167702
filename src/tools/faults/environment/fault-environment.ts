import { rmSync, mkdirSync, mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { findFreePort } from '../../bench/service/find-free-port.js'
import { writePlans } from '../../bench/service/start-service.js'
import { seededRandom } from '../../../core/seeded-random.js'
import type { RunningProgram } from './run-program.js'
import { ServiceProcess, type ServiceProcessOptions } from './service-process.js'
import { SmallDisk } from './small-disk.js'

export interface FaultSettings {
  /** `kill -9` of the server in the loop. */
  kills: number
  seed: number
  /** How often scenarios with replicas repeat what depends on chance. */
  runs: number
  /** Scenarios with replicas try less: about a minute for all of them. */
  isShort: boolean
}

/** What a scenario may use; `close` ends and removes all of it. */
export class FaultEnvironment {
  readonly folder = mkdtempSync(path.join(os.tmpdir(), 'profile-service-faults-'))
  readonly settings: FaultSettings
  readonly random: () => number
  readonly #services: ServiceProcess[] = []
  readonly #programs: RunningProgram[] = []
  readonly #disks: SmallDisk[] = []
  readonly #closers: (() => void)[] = []

  constructor(settings: FaultSettings) {
    this.settings = settings
    this.random = seededRandom(settings.seed)
  }

  /**
   * Prepares a service with a plan without limits; nothing is started yet.
   * @param options.dataDir - default: a new folder
   * @param options.env - settings of the service
   */
  async createService(
    options: { dataDir?: string; env?: Readonly<Record<string, string>> } = {},
  ): Promise<ServiceProcess> {
    const { dataDir = path.join(this.folder, `data-${this.#services.length}`), env = {} } = options
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    writePlans(dataDir)
    const service = await this.createServiceOn(dataDir, env)
    return service
  }

  /** Prepares a service on a data folder as it is. */
  async createServiceOn(
    dataDir: string,
    env: Readonly<Record<string, string>> = {},
    how: Pick<ServiceProcessOptions, 'program' | 'startLimitMs'> = {},
  ): Promise<ServiceProcess> {
    const [port, metricsPort] = [await findFreePort(), await findFreePort()]
    const service = new ServiceProcess({ dataDir, port, metricsPort, env, ...how })
    this.#services.push(service)
    return service
  }

  /** @throws SkippedScenario where mounting is not permitted */
  createSmallDisk(): SmallDisk {
    const disk = SmallDisk.create(this.folder, `disk-${this.#disks.length}`)
    this.#disks.push(disk)
    return disk
  }

  /** Kills a program at the end, if it still runs. */
  keep(program: RunningProgram): RunningProgram {
    this.#programs.push(program)
    return program
  }

  /** Does something at the end, before the folder is deleted, in reverse order. Synchronous, as `close` is. */
  onClose(work: () => void): void {
    this.#closers.push(work)
  }

  /** Synchronous, so that it can run when this process is interrupted. */
  close(): void {
    for (const { child } of this.#programs) child.kill('SIGKILL')
    for (const service of this.#services) {
      // A stopped worker would outlive its server.
      if (service.isRunning) endWorkers(service)
      service.signal('SIGKILL')
    }
    for (const work of this.#closers.splice(0).toReversed()) work()
    for (const disk of this.#disks) disk.unmount()
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function endWorkers(service: ServiceProcess): void {
  for (const role of ['vision', 'language'] as const) {
    const pid = service.pidOf(role)
    if (!Number.isNaN(pid)) process.kill(pid, 'SIGKILL')
  }
}
