export const NOT_ABOUT_STORAGE: readonly string[]
export function listDatabaseSuites(): string[]
export function listSuites(): string[]
export function listReached(start: string): Set<string>
