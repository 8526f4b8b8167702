import { NOT_ISOLATED } from '../../src/inference/workers/isolation/worker-isolation.js'
import type { ServiceError } from '../../src/core/service-error.js'
import { createHostedLanguage, createHostedVision } from '../../src/inference/hosted-models.js'
import type { LanguageMethods } from '../../src/inference/language/language.js'
import type { ModelHost } from '../../src/inference/workers/model-host.js'
import type { WorkerInfo } from '../../src/inference/workers/protocol.js'
import type { VisionMethods } from '../../src/inference/encoder/vision.js'
import { WorkerCallError } from '../../src/inference/workers/worker-process.js'
import { patientCall } from './workers/_fixture-host.js'

/** A host without a worker; `answer` produces the result of every call. */
function hostThat(answer: (method: string, request: unknown) => unknown, info?: WorkerInfo) {
  const asked: { method: string; request: unknown }[] = []
  const host = {
    call: async (method: string, request: unknown) => {
      asked.push({ method, request })
      return answer(method, request)
    },
    info: () => info,
  } as unknown as ModelHost<VisionMethods> & ModelHost<LanguageMethods>
  return { host, asked }
}
const fail = (error: Error) => () => {
  throw error
}
const generation = {
  text: 'Hi!',
  finishReason: 'stop',
  promptTokens: 9,
  cachedTokens: 4,
  generatedTokens: 3,
}

describe('the hosted models', () => {
  it('send photos and texts to the vision worker', async () => {
    const { host, asked } = hostThat((method) => [method])
    const vision = createHostedVision(host)
    const photo = new Uint8Array([1])
    expect(await vision.analyzePhotos([photo], patientCall())).toEqual(['analyzePhotos'])
    expect(await vision.embedTexts(['a dog'], patientCall())).toEqual(['embedTexts'])
    expect(asked).toEqual([
      { method: 'analyzePhotos', request: { photos: [photo] } },
      { method: 'embedTexts', request: { texts: ['a dog'] } },
    ])
  })

  it('call no worker for empty input', async () => {
    const { host, asked } = hostThat(() => [])
    const vision = createHostedVision(host)
    expect(await vision.analyzePhotos([], patientCall())).toEqual([])
    expect(await vision.embedTexts([], patientCall())).toEqual([])
    expect(asked).toEqual([])
  })

  it('return the properties of the vision model once it is loaded', () => {
    const properties = { revision: 'clip-lite@1', logitScale: 100 }
    const isolation = NOT_ISOLATED
    const info = { packs: ['clip-lite'], device: 'cpu', threads: 2, properties, isolation }
    const vision = createHostedVision(hostThat(() => [], info).host)
    expect([vision.revision(), vision.logitScale()]).toEqual(['clip-lite@1', 100])

    const notLoaded = createHostedVision(hostThat(() => []).host)
    expect(() => notLoaded.revision()).toThrow(
      expect.objectContaining({ code: 'model_unavailable' }),
    )
  })

  it('send a generation to the language worker, with its tenant', async () => {
    const { host, asked } = hostThat(() => generation)
    const request = {
      turns: [],
      maxTokens: 8,
      sampling: { temperature: 1, minP: 0, seed: 1 },
      stop: [],
    }
    const call = patientCall()
    expect(await createHostedLanguage(host).generate(request, call)).toEqual(generation)
    const sent = { ...request, tenant: call.tenant.id }
    expect(asked).toEqual([{ method: 'generate', request: sent }])
  })

  it.each([
    ['invalid_input', 'invalid_request', 400],
    ['failed', 'model_unavailable', 503],
    ['exited', 'model_unavailable', 503],
  ] as const)('convert a worker failure %s to %s', async (reason, code, status) => {
    const { host } = hostThat(fail(new WorkerCallError(reason, 'detail')))
    const calls = [
      createHostedVision(host).embedTexts(['x'], patientCall()),
      createHostedVision(host).analyzePhotos([new Uint8Array()], patientCall()),
    ]
    for (const call of calls) await expect(call).rejects.toMatchObject({ code, status })
  })

  it('pass on the message about invalid input, but not that of an internal failure', async () => {
    const messageFor = async (reason: 'invalid_input' | 'failed') => {
      const { host } = hostThat(fail(new WorkerCallError(reason, 'detail')))
      const call = createHostedVision(host).embedTexts(['x'], patientCall())
      return ((await call.catch((error: unknown) => error)) as ServiceError).message
    }
    expect(await messageFor('invalid_input')).toBe('detail')
    expect(await messageFor('failed')).not.toContain('detail')
  })

  it('reject an aborted call with an AbortError', async () => {
    const { host } = hostThat(fail(new WorkerCallError('aborted', 'aborted')))
    const call = createHostedVision(host).embedTexts(['x'], patientCall())
    await expect(call).rejects.toMatchObject({ name: 'AbortError' })
  })

  it('pass on errors of the host itself', async () => {
    const refusal = new TypeError('from the host')
    const call = createHostedVision(hostThat(fail(refusal)).host).embedTexts(['x'], patientCall())
    await expect(call).rejects.toBe(refusal)
  })
})
