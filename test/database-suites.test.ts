import { readFileSync } from 'node:fs'
import { listDatabaseSuites, listReached, listSuites } from './_database-suites.js'

const OPENS = /\b(?:openDatabase|openContext|openPostgres|startServerProcess)\(/

describe('the run on PostgreSQL', () => {
  const inRun = listDatabaseSuites()

  it('has every suite that opens a database, less those about real models', () => {
    const opening = listSuites().filter((suite) =>
      [...listReached(suite)].some(
        (file) => file.startsWith('test/') && OPENS.test(readFileSync(file, 'utf8')),
      ),
    )
    expect(opening.length).toBeGreaterThan(50)
    expect(opening.filter((suite) => !inRun.includes(suite))).toEqual([
      'test/system/hot-swap.test.ts',
      'test/system/prompt-injections.test.ts',
      'test/system/real-models.test.ts',
      'test/system/vision-engines.test.ts',
    ])
  })

  it('finds suites that open a database through other files', () => {
    expect(inRun).toContain('test/portal/keys.test.ts')
    expect(inRun).not.toContain('test/text/vectors.test.ts')
  })
})
