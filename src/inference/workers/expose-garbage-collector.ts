import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Returns a function that collects all garbage now, for memory whose size the collector does not see. */
export function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
