import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import got, { type Request, type Response } from 'got'
import type { ExpectedFile } from '../pins.js'
import { requireDiskSpace } from '../require-disk-space.js'
import { contentSpan, contentValidator, unsatisfiedTotal } from './http-content.js'
import {
  DownloadInterruptedError,
  HttpStatusError,
  retryDelayMs,
  toDownloadError,
} from './http-failure.js'
import {
  beginPartialFile,
  partialSize,
  readPartialFile,
  removePartialFile,
  type PartialFile,
} from './partial-file.js'
import { SourceError } from './source-error.js'

const MAX_FAILURES = 5

export interface HttpDownload {
  url: string
  /** Destination; a partial download of the same content in it is continued. */
  partPath: string
  expected: ExpectedFile
  /** Bearer token for the origin of `url`; not sent after a redirect to another origin. */
  token?: string | undefined
  /** Delay before the second attempt; doubles with each further attempt, up to a minute. */
  retryBaseMs: number
  signal?: AbortSignal | undefined
  onProgress(doneBytes: number, totalBytes: number | undefined): void
  /** Receives the headers of every response, redirects included; throws to abort the download. */
  onHeaders?(headers: Response['headers']): void
}

/**
 * Downloads a file over HTTP. After a failed connection it waits and continues where it stopped, as long as attempts
 * make progress.
 * @throws SourceError if the server refuses, cannot be reached, or fails five times in a row
 */
export async function downloadOverHttp(download: HttpDownload): Promise<void> {
  let furthestBytes = 0
  let failures = 0
  for (;;) {
    try {
      return await attempt(download)
    } catch (error) {
      const sizeBytes = await partialSize(download.partPath)
      failures = sizeBytes > furthestBytes ? 1 : failures + 1
      furthestBytes = Math.max(furthestBytes, sizeBytes)
      const waitMs = retryDelayMs(error, download.retryBaseMs * 2 ** (failures - 1))
      if (waitMs === undefined || failures >= MAX_FAILURES) {
        throw toDownloadError(error, download.url)
      }
      await sleep(waitMs, undefined, { signal: download.signal })
    }
  }
}

async function attempt(download: HttpDownload): Promise<void> {
  const partial = await readPartialFile(download.partPath, download.url)
  if (partial && partial.sizeBytes === download.expected.sizeBytes) return
  const stream = request(download, partial)
  // Without a listener, an error before the pipeline is attached would crash the process; the pipeline reports it.
  stream.on('error', () => undefined)
  try {
    const [response] = (await once(stream, 'response')) as [Response]
    download.onHeaders?.(response.headers)
    await receive(download, stream, response)
  } finally {
    stream.destroy()
  }
}

function request(download: HttpDownload, partial: PartialFile | undefined): Request {
  const { origin } = new URL(download.url)
  return got.stream(download.url, {
    headers: {
      'accept-encoding': 'identity',
      authorization: download.token === undefined ? undefined : `Bearer ${download.token}`,
      range: partial && `bytes=${partial.sizeBytes}-`,
      'if-range': partial?.validator,
    },
    decompress: false,
    throwHttpErrors: false,
    maxRedirects: 5,
    retry: { limit: 0 },
    timeout: { lookup: 10_000, connect: 10_000, secureConnect: 10_000, socket: 30_000 },
    signal: download.signal,
    hooks: {
      beforeRedirect: [
        (options, response) => {
          download.onHeaders?.(response.headers)
          // got keeps the header if only the scheme changes.
          if (new URL(String(options.url)).origin !== origin) delete options.headers.authorization
        },
      ],
    },
  })
}

async function receive(download: HttpDownload, stream: Request, response: Response): Promise<void> {
  const { url, partPath, expected } = download
  if (response.statusCode === 416) {
    if (unsatisfiedTotal(response.headers) === (await partialSize(partPath))) return
    await removePartialFile(partPath)
    throw new DownloadInterruptedError('the server does not have the missing part')
  }
  if (response.statusCode !== 200 && response.statusCode !== 206) {
    const { host } = new URL(response.url)
    throw new HttpStatusError(host, response.statusCode, response.headers['retry-after'])
  }
  if ((response.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new SourceError('the server compresses the file, although the request forbids it')
  }
  const span = contentSpan(response.statusCode, response.headers)
  if (!span || (span.startBytes > 0 && span.startBytes !== (await partialSize(partPath)))) {
    await removePartialFile(partPath)
    throw new DownloadInterruptedError('the server sent another part than requested')
  }
  const sizeBytes = requireSize(span.totalBytes, expected)
  if (span.startBytes === 0) {
    await beginPartialFile(partPath, url, contentValidator(response.headers))
  }
  await requireDiskSpace(partPath, (sizeBytes ?? 0) - span.startBytes)

  let doneBytes = span.startBytes
  await pipeline(
    stream,
    async function* (chunks: AsyncIterable<Uint8Array>) {
      for await (const chunk of chunks) {
        doneBytes += chunk.byteLength
        if (doneBytes > (sizeBytes ?? Infinity)) {
          throw new SourceError(`the server sent more than the expected ${sizeBytes} bytes`)
        }
        download.onProgress(doneBytes, sizeBytes)
        yield chunk
      }
    },
    createWriteStream(partPath, { flags: span.startBytes > 0 ? 'a' : 'w' }),
  )
  if (doneBytes < (sizeBytes ?? 0)) throw new DownloadInterruptedError('the response ended early')
}

/** Returns the size that the file must have; undefined if only its hash is known. */
function requireSize(totalBytes: number | undefined, expected: ExpectedFile): number | undefined {
  const sizeBytes = expected.sizeBytes ?? totalBytes
  if (totalBytes !== undefined && totalBytes !== sizeBytes) {
    throw new SourceError(`the file has ${totalBytes} bytes there, but ${sizeBytes} were expected`)
  }
  if (sizeBytes === undefined && expected.sha256 === undefined) {
    throw new SourceError(
      'the server does not state the size of the file; add sizeBytes or sha256 to pack.json',
    )
  }
  return sizeBytes
}
