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
  /** Receives messages for the operator: a source failed and the next is tried, or another pull is awaited. */
  onNotice?: ((message: string) => void) | undefined
}
