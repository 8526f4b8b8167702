import { readSnippets } from '../../src/portal/pages/developers/code-snippets.js'
import { startService, type Service } from '../api/_service.js'
import { runSnippet } from './_run-snippet.js'

const LANGUAGES = ['curl', 'TypeScript', 'Python']

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

describe.each(LANGUAGES)('the quick start in %s', (language) => {
  it('writes openers, and reports what came of one', async () => {
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
})
