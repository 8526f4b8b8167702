import type { Database } from '../../src/database/open-database.js'
import {
  beginCall,
  type CallAnswer,
  type CallToMeter,
  type MeteringDeps,
} from '../../src/metering/begin-call.js'

export interface Executed {
  answer: CallAnswer
  record?: (transaction: Database) => Promise<void>
}

export interface Metered {
  answer: CallAnswer
  replayed: boolean
  used: number | undefined
}

/** Runs a call as the HTTP layer does: begins it, executes it, and settles or releases it. */
export async function runMetered(
  deps: MeteringDeps,
  request: CallToMeter,
  execute: () => Promise<Executed>,
): Promise<Metered> {
  const begun = await beginCall(deps, request)
  if ('replay' in begun) return { answer: begun.replay, replayed: true, used: undefined }
  try {
    const { answer, record = () => Promise.resolve() } = await execute()
    return { answer, replayed: false, used: await begun.call.settle(answer, record) }
  } catch (error) {
    await begun.call.release(error)
    throw error
  }
}
