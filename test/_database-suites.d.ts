export function listDatabaseSuites(): string[]
export function listSuites(): string[]
export function listReached(start: string): Set<string>
