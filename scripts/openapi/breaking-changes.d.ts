export function listBreakingChanges(before: object, after: object): string[]
