import fs from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { hashFile } from '../packs/file-hash.js'
import { OperatorError } from '../core/operator-error.js'

/** A backup cannot be written or restored, or is incomplete; `message` says what to do. */
export class BackupError extends OperatorError {}

export const DATABASE_COPY = 'service.db'
export const SECRET_COPY = 'server-secret'
export const PLANS_COPY = 'plans.json'
const MANIFEST = 'manifest.json'

const manifestSchema = z.object({
  format: z.literal(1),
  /** When the backup started: it contains everything acknowledged before. */
  created_at: z.iso.datetime(),
  files: z.partialRecord(
    z.enum([DATABASE_COPY, SECRET_COPY, PLANS_COPY]),
    z.object({ size_bytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  ),
})

export type BackupManifest = z.infer<typeof manifestSchema>
export type BackupFile = keyof BackupManifest['files']

/** Hashes the files of a backup and writes its manifest. */
export async function writeManifest(
  folder: string,
  { createdAt, names }: { createdAt: number; names: readonly BackupFile[] },
): Promise<BackupManifest> {
  const files: BackupManifest['files'] = {}
  for (const name of names) files[name] = await describeFile(path.join(folder, name))
  const manifest = { format: 1 as const, created_at: new Date(createdAt).toISOString(), files }
  await fs.writeFile(path.join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  })
  return manifest
}

/**
 * Reads the manifest of a backup and checks its files.
 * @throws BackupError when the manifest is missing, or a file is missing or has changed
 */
export async function readCheckedManifest(folder: string): Promise<BackupManifest> {
  const manifest = await readManifest(folder)
  for (const [name, expected] of Object.entries(manifest.files)) {
    const found = await describeFile(path.join(folder, name)).catch(() => undefined)
    if (!found) throw new BackupError(`The backup ${folder} is incomplete: ${name} is missing.`)
    if (expected.sha256 !== found.sha256) {
      throw new BackupError(
        `The backup ${folder} is damaged: the sha256 of ${name} has changed. Use another backup.`,
      )
    }
  }
  return manifest
}

async function readManifest(folder: string): Promise<BackupManifest> {
  const file = path.join(folder, MANIFEST)
  try {
    return manifestSchema.parse(JSON.parse(await fs.readFile(file, 'utf8')))
  } catch (cause) {
    throw new BackupError(`There is no backup in ${folder}: ${MANIFEST} is missing or damaged.`, {
      cause,
    })
  }
}

async function describeFile(file: string) {
  const { size } = await fs.stat(file)
  return { size_bytes: size, sha256: await hashFile(file) }
}
