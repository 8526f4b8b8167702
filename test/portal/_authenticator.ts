import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

const USER_PRESENT_AND_VERIFIED = 0x05
const WITH_CREDENTIAL = 0x40

/** A WebAuthn authenticator with one discoverable ES256 credential, in software. */
export function createAuthenticator({ origin, rpId }: { origin: string; rpId: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(16)
  let counter = 0
  const hash = (data: string | Buffer) => createHash('sha256').update(data).digest()
  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
  const header = (flags: number) => {
    const counted = Buffer.alloc(4)
    counted.writeUInt32BE(++counter)
    return Buffer.concat([hash(rpId), Buffer.from([flags]), counted])
  }
  const credential = { id: id.toString('base64url'), rawId: id.toString('base64url') }
  const rest = { type: 'public-key', clientExtensionResults: {} }
  return {
    /** What a browser answers to a challenge for a new credential. */
    register(challenge: string): string {
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const coordinate = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'))
      const key = new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, coordinate(x)],
        [-3, coordinate(y)],
      ])
      const length = Buffer.from([0, id.length])
      const authData = Buffer.concat([
        header(USER_PRESENT_AND_VERIFIED | WITH_CREDENTIAL),
        Buffer.alloc(16),
        length,
        id,
        isoCBOR.encode(key),
      ])
      const attestation = new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(authData)],
      ])
      const attestationObject = Buffer.from(isoCBOR.encode(attestation as never))
      const response = {
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
      }
      return JSON.stringify({ ...credential, ...rest, response })
    },
    /** What a browser answers to a challenge for a sign-in. */
    authenticate(challenge: string): string {
      const authenticatorData = header(USER_PRESENT_AND_VERIFIED)
      const clientDataJSON = clientData('webauthn.get', challenge)
      const signature = sign(
        'sha256',
        Buffer.concat([authenticatorData, hash(clientDataJSON)]),
        privateKey,
      )
      const response = {
        authenticatorData: authenticatorData.toString('base64url'),
        clientDataJSON: clientDataJSON.toString('base64url'),
        signature: signature.toString('base64url'),
      }
      return JSON.stringify({ ...credential, ...rest, response })
    },
  }
}
