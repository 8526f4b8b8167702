import type { FileSource } from '../manifest.js'
import type { FetchSettings, FetchTarget, Hub } from './fetch-target.js'
import { publishedSha256 } from './http-content.js'
import { downloadOverHttp } from './http-download.js'
import { HttpStatusError } from './http-failure.js'
import { SourceError } from './source-error.js'
import { hashMismatch } from './hash-mismatch.js'

type HubSource = Extract<FileSource, { type: 'huggingface' }>

/**
 * Downloads a file from a repository on the Hub.
 * @returns the sha256 that the Hub publishes; files outside large-file storage have none
 * @throws SourceError, also before the download if the published hash is not the expected one
 * Source: huggingface_hub, file_download.py (addresses, `X-Linked-Etag`)
 */
export async function downloadFromHub(
  source: HubSource,
  target: FetchTarget,
  settings: FetchSettings,
): Promise<string | undefined> {
  const { hub } = settings
  let first = true
  let published: string | undefined
  try {
    await downloadOverHttp({
      url: hubFileUrl(hub.endpoint, source),
      ...target,
      ...settings,
      token: hub.token,
      onHeaders: (headers) => {
        // Only the first response comes from the Hub; the content server after a redirect uses other ETags.
        if (first) published = publishedSha256(headers)
        first = false
        const { sha256 } = target.expected
        if (published === undefined || sha256 === undefined || published === sha256) return
        throw hashMismatch(published, target.expected)
      },
    })
  } catch (error) {
    throw error instanceof HttpStatusError ? explainStatus(error, source, hub) : error
  }
  return published
}

function hubFileUrl(endpoint: string, { repo, path, revision }: HubSource): string {
  const encoded = path.split('/').map(encodeURIComponent).join('/')
  return `${endpoint.replace(/\/+$/, '')}/${repo}/resolve/${encodeURIComponent(revision)}/${encoded}`
}

function explainStatus(error: HttpStatusError, source: HubSource, hub: Hub): SourceError {
  switch (error.status) {
    case 401:
    case 403: {
      const advice = hub.token
        ? "accept the model's terms on its page with the account of HF_TOKEN"
        : 'set HF_TOKEN to an access token that may read it'
      return new SourceError(`${error.message}: ${advice}`)
    }
    case 404: {
      const advice = hub.token ? '' : ', or it is private and needs HF_TOKEN'
      return new SourceError(
        `${error.message}: there is no ${source.path} at ${source.revision}${advice}`,
      )
    }
    case 429:
      return new SourceError(`${error.message}: wait a few minutes, or set HF_TOKEN`)
    default:
      return error
  }
}
