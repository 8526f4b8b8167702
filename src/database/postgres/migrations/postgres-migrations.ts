import type { PostgresMigration } from '../schema-compatibility.js'
import * as baseline from './001-baseline.js'

/** Every migration of PostgreSQL by name, in order. One that was released never changes again. */
export const POSTGRES_MIGRATIONS: Record<string, PostgresMigration> = {
  '001-baseline': baseline,
}
