import config from './jest.config.js'

/** The portal's tests in a browser; `npm run portal:e2e` sets up what they need. */
export default {
  ...config,
  testMatch: ['<rootDir>/test/portal/e2e/**/*.e2e.ts'],
  // A browser takes a core of its own.
  maxWorkers: 1,
  testTimeout: 60_000,
}
