import process from 'node:process'
import { startPostgres } from './_start-postgres.js'

/** Starts PostgreSQL before a test run with TEST_DATABASE=postgres; `test/_database.ts` opens databases there. */
// eslint-disable-next-line import/no-default-export -- jest expects one
export default async function start() {
  if (process.env.TEST_DATABASE !== 'postgres') return
  const { url, folder, bin, stop } = await startPostgres()
  process.env.TEST_POSTGRES_URL = url
  process.env.TEST_POSTGRES_FOLDER = folder
  process.env.TEST_POSTGRES_BIN = bin
  globalThis.stopTestPostgres = stop
}
