import { statfs } from 'node:fs/promises'
import type { DatabasePlace } from '../../database/open-database.js'
import { formatBytes } from '../../packs/format-bytes.js'
import { failed, ok, warning, type Finding } from '../check.js'
import { existingFolder } from './folders.js'

/** `statfs` types of network file systems. Source: linux/magic.h and the sources of each file system */
const NETWORK_FILE_SYSTEMS: Record<number, string> = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xff534d42: 'CIFS',
  0xfe534d42: 'SMB2',
  0x01021997: '9P',
  0x00c36400: 'Ceph',
  0x0bd00bd0: 'Lustre',
  0x47504653: 'GPFS',
  0x5346414f: 'AFS',
  0x65735546: 'FUSE',
}
const MIN_FREE_BYTES = 200_000_000
const LOW_FREE_BYTES = 2_000_000_000

export interface DiskFacts {
  type: number
  freeBytes: number
}

/** Checks that the database is on a local disk with room to grow. */
export async function checkDisk(
  { dataDir, postgres }: DatabasePlace,
  facts?: DiskFacts,
): Promise<Finding> {
  if (postgres) return ok('not needed: the database is on a server')
  const { type, freeBytes } = facts ?? (await readFacts(dataDir))
  const network = NETWORK_FILE_SYSTEMS[type]
  if (network !== undefined) {
    return failed(
      `${dataDir} is on ${network}, where SQLite's locks and shared memory are unreliable`,
      'Set DATA_DIR to a folder on a local disk or block device. See https://www.sqlite.org/useovernet.html',
    )
  }
  const found = `${formatBytes(freeBytes)} free`
  const fix = 'Free some space, or set DATA_DIR to a larger disk.'
  if (freeBytes < MIN_FREE_BYTES) return failed(found, fix)
  return freeBytes < LOW_FREE_BYTES ? warning(found, fix) : ok(found)
}

async function readFacts(dataDir: string): Promise<DiskFacts> {
  const { type, bavail, bsize } = await statfs(await existingFolder(dataDir))
  return { type, freeBytes: bavail * bsize }
}
