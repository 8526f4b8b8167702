import { spawnSync } from 'node:child_process'
import { readSnippets } from '../../src/portal/pages/developers/code-snippets.js'
import { startService, type Service } from '../http/_service.js'
import { runSnippet } from './_run-snippet.js'

/** Programs that the snippets need besides Node and Python, which these tests need anyway. */
const PROGRAMS = { curl: ['curl', 'openssl'], TypeScript: [], Python: [] }

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

for (const [language, programs] of Object.entries(PROGRAMS)) {
  const missing = programs.filter((program) => spawnSync(program, ['--help']).error)
  const describeWithPrograms = missing.length === 0 ? describe : describe.skip

  describeWithPrograms(
    `the quick start in ${language} (missing: ${missing.join() || 'none'})`,
    () => {
      it('writes openers, and reports the outcome of one', async () => {
        const snippet = (topic: 'openers' | 'events') =>
          readSnippets(topic, service.baseUrl).find((one) => one.language === language)!
        const env = { PROFILE_API_KEY: service.apiKey }
        const written = await runSnippet(snippet('openers'), env)
        expect(written).toContain('playful_observation')
        const requestId = /req_[0-9a-z]+/.exec(written)?.[0] ?? ''
        const reported = await runSnippet(snippet('events'), { ...env, REQUEST_ID: requestId })
        expect(reported).toMatch(/"accepted":1|1 accepted/)
      })
    },
  )
}
