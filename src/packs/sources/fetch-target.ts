import type { PackFile } from '../manifest.js'
import type { PackFolder } from '../pack-folder.js'
import type { ExpectedFile } from '../pins.js'

/** A Hugging Face hub or a mirror of it. */
export interface Hub {
  endpoint: string
  token?: string | undefined
}

/** A file that is to be fetched. */
export interface FetchTarget {
  pack: PackFolder
  file: PackFile
  /** Where the bytes go before they are verified. */
  partPath: string
  expected: ExpectedFile
}

export interface FetchSettings {
  hub: Hub
  /** Refuses every source that needs the network. */
  offline: boolean
  /** Wait before a second attempt of a download; see HttpDownload. */
  retryBaseMs: number
  /** Environment variables for pip besides those of this process. */
  pipEnvironment?: Record<string, string> | undefined
  signal?: AbortSignal | undefined
  onProgress(doneBytes: number, totalBytes: number | undefined): void
}
