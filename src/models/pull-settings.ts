import type { FetchSettings } from './sources/fetch-target.js'

export interface PackProgress {
  pack: string
  file: string
  phase: 'download' | 'verify'
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
  /** A source failed; the next one is tried. */
  onSourceFailed?: ((message: string) => void) | undefined
}
