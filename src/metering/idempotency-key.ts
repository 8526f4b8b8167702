import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { QuotaScope } from './quota.js'
import type { ServerSecret } from '../organizations/server-secret.js'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Secrets derived from a partner's idempotency key, which itself is never stored. So until the partner retries, nobody,
 * not even this host, can decrypt the stored answer or check a guess of the request body.
 */
export interface IdempotencySecrets {
  /** Lookup key of the record; 32 bytes. */
  keyHash: Buffer
  hashBody(body: Uint8Array): Buffer
  /** AES-256-GCM: nonce, tag and ciphertext. */
  seal(text: string): Buffer
  unseal(sealed: Buffer): string
}

export function deriveIdempotencySecrets(
  secret: ServerSecret,
  scope: QuotaScope,
  key: string,
): IdempotencySecrets {
  const scopedKey = [scope.organizationId, scope.environment, scope.capability, key].join('\n')
  const lookupKey = secret.subkey('idempotency-lookup')
  const keyHash = createHmac('sha256', lookupKey).update(scopedKey).digest()
  const answerKey = expand(secret, `answer\n${scopedKey}`)
  const bodyKey = expand(secret, `body\n${scopedKey}`)
  return {
    keyHash,
    hashBody: (body) => createHmac('sha256', bodyKey).update(body).digest(),
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', answerKey, nonce)
      const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
    },
    unseal(sealed) {
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', answerKey, nonce, {
        authTagLength: TAG_BYTES,
      })
      decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      const ciphertext = sealed.subarray(NONCE_BYTES + TAG_BYTES)
      return Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString('utf8')
    },
  }
}

/** HKDF-Expand to 32 bytes. Source: RFC 5869, section 2.3. */
function expand(secret: ServerSecret, info: string): Buffer {
  return createHmac('sha256', secret.subkey('idempotency-answer')).update(`${info}\x01`).digest()
}
