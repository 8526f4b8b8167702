import { hkdfSync, randomBytes } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { OperatorError } from '../core/operator-error.js'
import { createFileOnce } from '../core/create-file-once.js'
import { errorCode } from '../core/error-code.js'

const SECRET_FILE = 'server-secret'
const SECRET_BYTES = 32
const HOW_TO_MAKE = `For a new database, make one and keep a copy beside the backups: head -c ${SECRET_BYTES} /dev/urandom > FILE; chmod 600 FILE`

/** Purpose of a subkey; subkeys of different purposes are independent. */
export type SecretPurpose =
  | 'api-key'
  | 'idempotency-lookup'
  | 'idempotency-answer'
  | 'database-check'
  | 'portal-token'
  | 'portal-form'
  | 'portal-attempt'
  | 'portal-sign-in-flow'
  | 'portal-sign-in-name'
  | 'portal-browser'
  | 'portal-passkey'
  | 'audit-chain'
  | 'learning-bucket'
  | 'prefix-cache'

/** The server secret is unusable; `message` says what to do. */
export class ServerSecretError extends OperatorError {}

/** The secret of this installation. It never leaves this object; only derived subkeys do. */
export class ServerSecret {
  readonly #bytes: Buffer
  readonly #subkeys = new Map<SecretPurpose, Buffer>()

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Derives the 32-byte subkey for a purpose with HKDF-SHA256. Source: RFC 5869. */
  subkey(purpose: SecretPurpose): Buffer {
    const known = this.#subkeys.get(purpose)
    if (known) return known
    const derived = Buffer.from(hkdfSync('sha256', this.#bytes, '', purpose, SECRET_BYTES))
    this.#subkeys.set(purpose, derived)
    return derived
  }
}

/**
 * Reads the server secret in `dataDir`; creates it (mode 600) on the first start.
 * @throws ServerSecretError if every user of the machine can access it, or it is damaged
 */
export async function openServerSecret(dataDir: string): Promise<ServerSecret> {
  await createFileOnce(secretFileOf(dataDir), () => randomBytes(SECRET_BYTES))
  return readServerSecret(dataDir)
}

/**
 * Reads the server secret in `dataDir`, which must exist.
 * @throws ServerSecretError if every user of the machine can access it, or it is damaged
 */
export async function readServerSecret(dataDir: string): Promise<ServerSecret> {
  return readSecretFile(secretFileOf(dataDir))
}

/**
 * Reads the server secret that the operator gives, the same for all replicas.
 * @param file - SERVER_SECRET_FILE
 * @throws ServerSecretError if there is none, every user of the machine can access it, or it is damaged
 */
export async function readGivenSecret(file: string | undefined): Promise<ServerSecret> {
  if (file === undefined) {
    throw new ServerSecretError(
      `With PostgreSQL, SERVER_SECRET_FILE must name a file with the server secret, the same for all replicas. ${HOW_TO_MAKE}`,
    )
  }
  try {
    return await readSecretFile(file)
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
    throw new ServerSecretError(
      `The file named by SERVER_SECRET_FILE is missing: ${file}. ${HOW_TO_MAKE}`,
    )
  }
}

async function readSecretFile(file: string): Promise<ServerSecret> {
  const { mode } = await fs.stat(file)
  // Group access is allowed, because Kubernetes grants it to all files of a volume with fsGroup. Windows has no modes.
  if (process.platform !== 'win32' && (mode & 0o007) !== 0) {
    throw new ServerSecretError(
      `Every user of this machine can access the server secret. Run: chmod 600 ${file}`,
    )
  }
  const bytes = await fs.readFile(file)
  if (bytes.length !== SECRET_BYTES) {
    throw new ServerSecretError(
      `${file} must have ${SECRET_BYTES} bytes, but has ${bytes.length}. Restore it from a backup.`,
    )
  }
  return new ServerSecret(bytes)
}

export function secretFileOf(dataDir: string): string {
  return path.join(dataDir, SECRET_FILE)
}
