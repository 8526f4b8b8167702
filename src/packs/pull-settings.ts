import type { FetchSettings } from './sources/fetch-target.js'

export interface PackProgress {
  pack: string
  file: string
  phase: 'download' | 'merge' | 'verify'
  doneBytes: number
  totalBytes: number | undefined
}

export interface PullSettings extends Pick<
  FetchSettings,
  'hub' | 'offline' | 'signal' | 'pipEnvironment'
> {
  /** See HttpDownload; default 1,000. */
  retryBaseMs?: number
  onProgress?: ((progress: PackProgress) => void) | undefined
  /** For people: a source failed and the next one is tried, or another pull is waited for. */
  onNotice?: ((message: string) => void) | undefined
}
