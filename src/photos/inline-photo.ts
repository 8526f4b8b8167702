const CHUNK_CHARACTERS = 64 * 1024

/** Decoded size of a padded base64 payload in bytes, without decoding it. */
export function decodedSize(base64: string): number {
  return (base64.length / 4) * 3 - paddingOf(base64)
}

/**
 * Whether a payload is base64 of the standard alphabet, padded, without white space (RFC 4648, section 4).
 *
 * Node's decoder skips invalid characters, which shows as missing bytes. Decoding in chunks into one small buffer takes about
 * 1 ms for 13 MB; a regular expression takes 100 ms.
 */
export function isStrictBase64(base64: string): boolean {
  if (base64.length === 0 || base64.length % 4 !== 0) return false
  // The decoder also accepts the URL-safe alphabet.
  if (base64.includes('-') || base64.includes('_')) return false
  const scratch = Buffer.allocUnsafe((CHUNK_CHARACTERS / 4) * 3)
  for (let start = 0; start < base64.length; start += CHUNK_CHARACTERS) {
    const chunk = base64.slice(start, start + CHUNK_CHARACTERS)
    const isLast = start + CHUNK_CHARACTERS >= base64.length
    const expected = isLast ? decodedSize(chunk) : (chunk.length / 4) * 3
    if (scratch.write(chunk, 'base64') !== expected) return false
  }
  return true
}

function paddingOf(base64: string): number {
  if (base64.endsWith('==')) return 2
  return base64.endsWith('=') ? 1 : 0
}
