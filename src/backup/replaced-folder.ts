import path from 'node:path'

/** Folder in the data folder for files that a command replaces, named after the time. */
export function replacedFolder(dataDir: string, now: number): string {
  return path.join(dataDir, `replaced-${new Date(now).toISOString().replaceAll(':', '-')}`)
}
