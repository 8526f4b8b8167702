import process from 'node:process'
import { listDatabaseSuites } from './test/_database-suites.js'

/** Tests run TypeScript as ES modules; inference workers run compiled, from dist. */
export default {
  testEnvironment: 'node',
  globalSetup: '<rootDir>/test/_jest-postgres.js',
  globalTeardown: '<rootDir>/test/_jest-postgres-stop.js',
  // On PostgreSQL, only what opens a database differs from a run on SQLite.
  testMatch:
    process.env.TEST_DATABASE === 'postgres'
      ? listDatabaseSuites().map((suite) => `<rootDir>/${suite}`)
      : ['<rootDir>/test/**/*.test.ts'],
  testSequencer: '<rootDir>/test/_models-first.js',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': ['@swc/jest', swcOptions({ tsx: false })],
    '^.+\\.tsx$': ['@swc/jest', swcOptions({ tsx: true })],
  },
  // Two native worker processes share two cores: more jest workers would only take turns.
  maxWorkers: 2,
  testTimeout: 60_000,
}

function swcOptions(/** @type {{ tsx: boolean }} */ { tsx }) {
  return {
    jsc: {
      parser: { syntax: 'typescript', tsx },
      target: 'es2022',
      transform: { react: { runtime: 'automatic', importSource: 'preact' } },
      experimental: { keepImportAttributes: true },
    },
    module: { type: 'es6' },
  }
}
