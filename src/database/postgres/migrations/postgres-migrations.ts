import type { Migration } from 'kysely'
import * as baseline from './001-baseline.js'

/** Every migration of PostgreSQL by name, in order. One that was released never changes again. */
export const POSTGRES_MIGRATIONS: Record<string, Migration> = {
  '001-baseline': baseline,
}
