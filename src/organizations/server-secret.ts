import { hkdfSync, randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { OperatorError } from '../core/operator-error.js'
import { createFileOnce } from './create-file-once.js'

const SECRET_FILE = 'server-secret'
const SECRET_BYTES = 32

/** What a subkey is for; subkeys of different purposes tell nothing of each other. */
export type SecretPurpose =
  | 'api-key'
  | 'idempotency-lookup'
  | 'idempotency-answer'
  | 'database-check'
  | 'portal-token'
  | 'portal-form'
  | 'portal-attempt'
  | 'portal-sign-in-flow'

/** The server secret cannot be used; `message` says what to do. */
export class ServerSecretError extends OperatorError {}

/** The secret of this installation; it never leaves the object, only subkeys do. */
export class ServerSecret {
  readonly #bytes: Buffer
  readonly #subkeys = new Map<SecretPurpose, Buffer>()

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** 32 bytes for one purpose, by HKDF-SHA256. Source: RFC 5869. */
  subkey(purpose: SecretPurpose): Buffer {
    const known = this.#subkeys.get(purpose)
    if (known) return known
    const derived = Buffer.from(hkdfSync('sha256', this.#bytes, '', purpose, SECRET_BYTES))
    this.#subkeys.set(purpose, derived)
    return derived
  }
}

/**
 * Reads the server secret of `dataDir`, and creates it (mode 600) on the first start.
 * @throws ServerSecretError when any user of the machine can read it, or it is damaged
 */
export async function openServerSecret(dataDir: string): Promise<ServerSecret> {
  const file = secretFileOf(dataDir)
  await createFileOnce(file, () => randomBytes(SECRET_BYTES))
  const { mode } = await fs.stat(file)
  // Access for the group is allowed: Kubernetes gives it to every file of a volume with an fsGroup. Windows has no modes.
  if (process.platform !== 'win32' && (mode & 0o007) !== 0) {
    throw new ServerSecretError(
      `Every user of this machine can use the server secret. Run: chmod 600 ${file}`,
    )
  }
  const bytes = await fs.readFile(file)
  if (bytes.length !== SECRET_BYTES) {
    throw new ServerSecretError(
      `${file} must have ${SECRET_BYTES} bytes, it has ${bytes.length}. Restore it from a backup.`,
    )
  }
  return new ServerSecret(bytes)
}

export function secretFileOf(dataDir: string): string {
  return path.join(dataDir, SECRET_FILE)
}
