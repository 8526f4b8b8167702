import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { SkippedScenario } from '../skipped-scenario.js'

const SIZE_MIB = 48
const BALLAST = 'ballast'

/** A disk of 48 MiB that a scenario may fill and break: an ext4 file system in a file. */
export class SmallDisk {
  readonly folder: string
  readonly #image: string

  private constructor(image: string, folder: string) {
    this.#image = image
    this.folder = folder
  }

  /** @throws SkippedScenario where mounting is not permitted */
  static create(parent: string, name: string): SmallDisk {
    const disk = new SmallDisk(path.join(parent, `${name}.ext4`), path.join(parent, name))
    mkdirSync(disk.folder)
    run('truncate', ['-s', `${SIZE_MIB}M`, disk.#image])
    run('mkfs.ext4', ['-q', '-m', '0', disk.#image])
    disk.mount()
    return disk
  }

  mount(): void {
    run('mount', ['-o', 'loop,errors=remount-ro', this.#image, this.folder])
  }

  /** Does nothing when it is not mounted. */
  unmount(): void {
    spawnSync('umount', ['--lazy', this.folder])
  }

  /** Leaves no free block. */
  fill(): void {
    const file = path.join(this.folder, BALLAST)
    spawnSync('dd', ['if=/dev/zero', `of=${file}`, 'bs=1M'])
    // Single blocks, for what is left of the last megabyte.
    spawnSync('dd', ['if=/dev/zero', `of=${file}-2`, 'bs=4096'])
    spawnSync('sync', ['-f', this.folder])
  }

  free(): void {
    for (const name of [BALLAST, `${BALLAST}-2`])
      rmSync(path.join(this.folder, name), { force: true })
  }

  /**
   * The kernel finds an error in the file system and stops all writing, open files included. What was written before is on
   * the disk: the fault is not about power cuts.
   */
  breakReadOnly(): void {
    run('sync', ['-f', this.folder])
    const device = run('findmnt', ['-n', '-o', 'SOURCE', this.folder]).trim()
    const trigger = `/sys/fs/ext4/${path.basename(device)}/trigger_fs_error`
    if (!existsSync(trigger)) {
      throw new SkippedScenario(`The kernel has no ${trigger}, which breaks a file system.`)
    }
    writeFileSync(trigger, 'fault suite')
  }

  /** Mounts it read-only, as after a reboot with a failing disk. */
  remountReadOnly(): void {
    run('umount', [this.folder])
    run('mount', ['-o', 'loop,ro', this.#image, this.folder])
  }

  /** Makes it writable again, as an operator does: unmount, check, mount. */
  repair(): void {
    run('umount', [this.folder])
    // Exit code 1: errors were corrected.
    spawnSync('e2fsck', ['-p', '-f', this.#image])
    this.mount()
  }
}

function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status === 0) return stdout
  const reason = (error?.message ?? stderr).trim()
  throw new SkippedScenario(`A small disk needs root and loop devices: ${program}: ${reason}`)
}
