import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What collects all garbage at once, for memory whose size the collector does not see or that is wanted back now. */
export function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
