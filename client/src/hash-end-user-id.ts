/** SHA-256 of your identifier of an end user as 64 hex digits, the only form in which the service takes it. */
export async function hashEndUserId(identifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(identifier))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
