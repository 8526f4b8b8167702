import type { AppContext } from '../../src/context.js'

export function fillHistory(args: string[]): Promise<void>
export function fillDatabase(
  deps: Pick<AppContext, 'db' | 'secret' | 'plans'>,
  options: { eventCount: number; now: number; seed?: number },
): Promise<{ events: number; organizationId: string }>
