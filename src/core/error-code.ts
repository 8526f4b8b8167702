/** Returns the `code` of an error of the system, SQLite or another library, such as `ENOENT`; undefined if it has none. */
export function errorCode(error: unknown): string | undefined {
  // Not by its class: SQLite's native part may throw an error of another realm.
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
