import { readFileSync } from 'node:fs'
import {
  listDatabaseSuites,
  listReached,
  listSuites,
  NOT_ABOUT_STORAGE,
} from './_database-suites.js'

const OPENS = /\b(?:openDatabase|openContext|openPostgres|startServerProcess)\(/

describe('the run on PostgreSQL', () => {
  const inRun = listDatabaseSuites()

  it('has every suite that opens a database, less those about something else', () => {
    const opening = listSuites().filter((suite) =>
      [...listReached(suite)].some(
        (file) => file.startsWith('test/') && OPENS.test(readFileSync(file, 'utf8')),
      ),
    )
    expect(opening.length).toBeGreaterThan(50)
    const left = opening.filter((suite) => !inRun.includes(suite))
    expect(left.filter((suite) => !NOT_ABOUT_STORAGE.includes(suite))).toEqual([])
    expect(NOT_ABOUT_STORAGE.filter((suite) => !listSuites().includes(suite))).toEqual([])
  })

  it('finds suites that open a database through other files', () => {
    expect(inRun).toContain('test/portal/keys.test.ts')
    expect(inRun).not.toContain('test/text/vectors.test.ts')
  })
})
