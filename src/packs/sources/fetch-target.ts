import type { PackFile } from '../manifest.js'
import type { PackFolder } from '../pack-folder.js'
import type { ExpectedFile } from '../pins.js'

/** The Hugging Face Hub or a mirror of it. */
export interface Hub {
  endpoint: string
  token?: string | undefined
}

/** A file to fetch. */
export interface FetchTarget {
  pack: PackFolder
  file: PackFile
  /** Destination until the file is verified. */
  partPath: string
  expected: ExpectedFile
}

export interface FetchSettings {
  hub: Hub
  /** Skips sources that need the network. */
  offline: boolean
  /** See HttpDownload. */
  retryBaseMs: number
  /** Additional environment variables for pip. */
  pipEnvironment?: Record<string, string> | undefined
  signal?: AbortSignal | undefined
  onProgress(doneBytes: number, totalBytes: number | undefined): void
}
