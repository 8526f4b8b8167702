import path from 'node:path'
import { stat } from 'node:fs/promises'
import { requireDiskSpace } from '../require-disk-space.js'
import { GgufError } from '../gguf/gguf-file.js'
import { mergeAdapter } from '../gguf/merge-adapter.js'
import type { FetchSettings, FetchTarget } from './fetch-target.js'
import { removePartialFile } from './partial-file.js'
import { SourceError } from './source-error.js'

/**
 * Creates the merged model of a language pack from its model and adapter.
 * @throws SourceError if one of them is missing or they do not fit together
 */
export async function mergeModel(
  { pack, partPath }: FetchTarget,
  settings: FetchSettings,
): Promise<void> {
  const { manifest, folder } = pack
  // The manifest's schema rules this out.
  if (manifest.role !== 'llm' || manifest.llm.adapter === undefined) {
    throw new SourceError('only a language model with an adapter can be merged')
  }
  const model = path.join(folder, manifest.llm.model)
  const adapter = path.join(folder, manifest.llm.adapter)
  for (const file of [model, adapter]) {
    if (!(await stat(file).catch(() => undefined))) throw new SourceError(`${file} is missing`)
  }
  await removePartialFile(partPath)
  try {
    await mergeAdapter(
      { model, adapter, target: partPath },
      {
        signal: settings.signal,
        onProgress: (doneBytes, totalBytes) => settings.onProgress(doneBytes, totalBytes),
        onSize: (bytes) => requireDiskSpace(partPath, bytes),
      },
    )
  } catch (error) {
    if (error instanceof GgufError) throw new SourceError(error.message, { cause: error })
    throw error
  }
}
