import { spawnSync } from 'node:child_process'
import { readSnippets } from '../../src/portal/pages/developers/code-snippets.js'
import { startService, type Service } from '../api/_service.js'
import { runSnippet } from './_run-snippet.js'

/** Programs that the snippets need besides Node and Python, which are there wherever these tests run. */
const NEEDED = { curl: ['curl', 'openssl'], TypeScript: [], Python: [] }
const LANGUAGES = Object.entries(NEEDED).map(([language, programs]) => ({
  language,
  missing: programs.filter((program) => spawnSync(program, ['--help']).error),
}))

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe.each(LANGUAGES)(
  'the quick start in $language (missing: $missing)',
  ({ language, missing }) => {
    const itRuns = missing.length === 0 ? it : it.skip

    itRuns('writes openers, and reports what came of one', async () => {
      const env = { PROFILE_API_KEY: service.apiKey }
      const written = await runSnippet(snippet('openers'), env)
      expect(written).toContain('playful_observation')
      const requestId = /req_[0-9a-z]+/.exec(written)?.[0] ?? ''
      const reported = await runSnippet(snippet('events'), { ...env, REQUEST_ID: requestId })
      expect(reported).toMatch(/"accepted":1|1 accepted/)
    })

    function snippet(topic: 'openers' | 'events') {
      return readSnippets(topic, service.baseUrl).find((one) => one.language === language)!
    }
  },
)
