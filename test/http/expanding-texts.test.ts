import { createFakeModels } from './_fake-models.js'
import { dataUrl, startService, type Service } from './_service.js'

/** One character that stands for 18 in compatibility form. */
const EXPANDING = '\u{fdfa}'

describe('a text of characters that stand for many', () => {
  let service: Service
  let classified: number
  beforeAll(async () => {
    const models = await createFakeModels()
    const { vision } = models
    const classifyBio: typeof vision.classifyBio = (...args) => {
      classified += 1
      return vision.classifyBio(...args)
    }
    service = await startService({ models: { ...models, vision: { ...vision, classifyBio } } })
  })
  beforeEach(() => {
    classified = 0
  })
  afterAll(() => service.close())

  const post = async (route: string, body: unknown) => {
    const { status, body: answer } = await service.post(route, body)
    return { status, error: (answer as { error?: string }).error }
  }
  const inferFrom = async (bio: string) =>
    post('/v1/profile/infer-preferences', { user: { id: 'u', photos: [await dataUrl()], bio } })

  it('is refused as a bio before a model reads it', async () => {
    const answer = await inferFrom(EXPANDING.repeat(5_000))
    expect(answer).toEqual({ status: 400, error: 'invalid_request' })
    expect(classified).toBe(0)
  })

  it('is refused as a name', async () => {
    const answer = await post('/v1/conversation/openers', {
      sender: { id: 's', name: EXPANDING.repeat(100) },
      recipient: { id: 'r', photos: [await dataUrl()], bio: 'A potter.' },
    })
    expect(answer).toEqual({ status: 400, error: 'invalid_request' })
  })

  it('is refused as a preference', async () => {
    const preferences = { interests: [EXPANDING.repeat(100)] }
    const user = { id: 'u', photos: [await dataUrl()], bio: 'A potter.', preferences }
    const answer = await post('/v1/match/evaluate', { user_a: user, user_b: user })
    expect(answer).toEqual({ status: 400, error: 'invalid_request' })
  })

  it.each([
    ['in Korean', '도자기를 만들어요. '.repeat(450)],
    ['in Arabic with a blessing', `أحب الخزف والقهوة. ${EXPANDING}`],
    ['with ellipses and ligatures', 'Coﬀee ﬁrst… then talk. '.repeat(200)],
    ['with full-width letters', 'Ｃｏｆｆｅｅ ｆｉｒｓｔ. '.repeat(300)],
  ])('is read as a bio %s', async (_what, bio) => {
    expect((await inferFrom(bio)).status).toBe(200)
    expect(classified).toBe(1)
  })
})
