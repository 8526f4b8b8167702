import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readExemplars } from '../../src/openers/exemplars/read-exemplars.js'
import { dataUrl, startService, type Service } from './_service.js'

const PATH = '/v1/conversation/openers'
const BIO = 'Nurse on nights, sourdough by day. Learning Portuguese, slowly.'

describe('openers written by hand', () => {
  let service: Service
  let photo: string
  const library = new Set(
    readExemplars('models/opener-exemplars')
      .flatMap(({ openers }) => openers)
      .map(({ text }) => text),
  )

  beforeAll(async () => {
    photo = await dataUrl()
    // The one of the repository, as every installation has it.
    service = await startService({ exemplars: undefined })
  })
  afterAll(() => service.close())

  async function ask(bio = BIO, headers = {}) {
    const body = { sender: { id: 's', name: 'Sam' }, recipient: { id: 'r', photos: [photo], bio } }
    const { status, body: answer } = await service.post(PATH, { ...body, tone: 'warm' }, headers)
    expect(status).toBe(200)
    return answer as {
      openers: { text: string; style: string; length: number }[]
      explain?: { candidates: { text: string; released: boolean; generated_tokens: number }[] }
    }
  }

  it('answer a call for whose recipient they are true', async () => {
    const { openers } = await ask()
    expect(openers).toHaveLength(3)
    for (const { text, length } of openers) {
      expect(library).toContain(text)
      expect(length).toBe([...text].length)
    }
  })

  it('are never the same for a recipient', async () => {
    const first = await ask()
    const second = await ask()
    const texts = [...first.openers, ...second.openers].map(({ text }) => text)
    expect(new Set(texts).size).toBe(6)
  })

  it('are explained as texts that no model wrote', async () => {
    const { openers, explain } = await ask('Nurse.', { 'X-Service-Explain': 'true' })
    const released = explain!.candidates.filter((candidate) => candidate.released)
    const written = released.filter(({ text }) => library.has(text))
    expect(written.length).toBeGreaterThan(0)
    expect(released).toHaveLength(openers.length)
    for (const candidate of written) expect(candidate.generated_tokens).toBe(0)
  })

  it('leave what nothing is written for to the model', async () => {
    const { openers } = await ask('Zxq vbn, qwrt plmk zxcv bnmq wert yuio asdf ghjk.')
    expect(openers.length).toBeGreaterThan(0)
  })
})
