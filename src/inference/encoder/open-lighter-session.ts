import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { InferenceSession } from 'onnxruntime-node'
import { exposeCollector } from '../workers/expose-collector.js'
import { leaveOutUnreadTokens } from './onnx/unread-tokens.js'
import type { ModelSource } from './open-session.js'
import { isSameRow } from './same-row.js'

/** Rows that a session gives for inputs that are always the same. */
export type Probe = (session: InferenceSession) => Promise<Float32Array[]>

type Open = (source: ModelSource) => Promise<InferenceSession>

/** Of a larger file, which holds its weights itself, a second copy takes too much memory while it is opened. */
const MAX_BYTES = 1_000_000_000

/**
 * A session of a model without the tokens that nothing reads, if there are any and the probe finds that it gives
 * what the whole model gives; otherwise one of the whole model. The two are never open at the same time.
 * @throws what `open` throws for the file
 */
export async function openLighterSession(
  file: string,
  probe: Probe,
  open: Open,
): Promise<InferenceSession> {
  const collect = exposeCollector()
  const session = await openChecked()
  // What was awaited holds the bytes until then.
  await setImmediate()
  collect()
  return session

  async function openChecked() {
    const bytes = await readLighterModel(file)
    // The file may be as large as the memory that is left.
    collect()
    if (!bytes) return open(file)
    const whole = await open(file)
    const rows = await probe(whole).catch(() => undefined)
    // A model that refuses the probe refuses its first input too, and that tells why.
    if (!rows) return whole
    await whole.release()
    const openLighter = () => open({ bytes, folder: path.dirname(file) })
    return (await openIfSame(openLighter, probe, rows)) ?? open(file)
  }
}

/** Undefined also for a file that cannot be read: opening it tells why. */
async function readLighterModel(file: string): Promise<Uint8Array | undefined> {
  try {
    const { size } = await stat(file)
    return size > MAX_BYTES ? undefined : leaveOutUnreadTokens(await readFile(file))
  } catch {
    return undefined
  }
}

/** A session that gives these rows for the probe, or undefined. */
async function openIfSame(
  open: () => Promise<InferenceSession>,
  probe: Probe,
  rows: readonly Float32Array[],
): Promise<InferenceSession | undefined> {
  let session: InferenceSession | undefined
  try {
    session = await open()
    const given = await probe(session)
    if (given.every((row, index) => isSameRow(rows[index] as Float32Array, row))) return session
  } catch {
    // It is not used, for whatever reason.
  }
  await session?.release()
  return undefined
}
