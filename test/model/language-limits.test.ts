import path from 'node:path'
import { WorkerStartError } from '../../src/inference/workers/start-worker.js'
import {
  languageSettings,
  missingLanguageWeights,
  openerRequest,
  startLanguageWorker,
  withUserText,
  type LanguageWorker,
} from './_language-worker.js'
import { describeWithWeights } from '../_weights.js'

const missing = await missingLanguageWeights()

describeWithWeights('limits of the language worker', missing, () => {
  const CONTEXT_SIZE = 768
  let worker: LanguageWorker

  beforeAll(async () => {
    worker = await startLanguageWorker({ contextSize: CONTEXT_SIZE })
  })

  afterAll(async () => {
    await worker.drain()
  })

  const request = (words: number, maxTokens: number) =>
    withUserText(openerRequest({ maxTokens }), 'tree '.repeat(words))

  it('refuses a prompt that leaves no room for the answer, and serves the next call', async () => {
    for (const [words, maxTokens] of [
      [100_000, 1],
      [800, 1],
      [50, 768],
    ] as const) {
      const call = worker.call('generate', request(words, maxTokens))
      await expect(call).rejects.toMatchObject({ reason: 'invalid_input' })
      await expect(call).rejects.not.toThrow(/tree/)
    }
    expect((await worker.call('generate', openerRequest())).text).not.toBe('')
  })

  it('fills the context window up to the documented limit', async () => {
    const { promptTokens } = await worker.call('generate', request(650, 1))
    const room = CONTEXT_SIZE - 1 - promptTokens
    const fitting = await worker.call('generate', request(650, room))
    expect(fitting.promptTokens + fitting.generatedTokens).toBeLessThan(CONTEXT_SIZE)

    const tooMuch = worker.call('generate', request(650, room + 1))
    await expect(tooMuch).rejects.toMatchObject({ reason: 'invalid_input' })
  })

  it('stops an aborted call during its prompt and caches the evaluated part', async () => {
    const long = withUserText(openerRequest({ maxTokens: 1 }), 'river '.repeat(700))
    const controller = new AbortController()
    const aborted = worker.call('generate', long, { signal: controller.signal })
    // Short prompts precede the rest of long ones, so this call ends while the other is still in its prompt.
    await worker.call('generate', openerRequest({ maxTokens: 2 }))
    controller.abort()

    await expect(aborted).rejects.toMatchObject({ reason: 'aborted' })
    const again = await worker.call('generate', long)

    expect(again.cachedTokens).toBeGreaterThan(100)
    expect(again.cachedTokens).toBeLessThan(again.promptTokens - 100)
  })

  it('stops an aborted call during its answer', async () => {
    const controller = new AbortController()
    const sampling = { temperature: 2, minP: 0, seed: 1 }
    const call = openerRequest({ maxTokens: 500, sampling, stop: [] })
    const aborted = worker.call('generate', call, { signal: controller.signal })
    await worker.call('generate', openerRequest({ maxTokens: 4 }))
    controller.abort()

    await expect(aborted).rejects.toMatchObject({ reason: 'aborted' })
    expect((await worker.call('generate', openerRequest())).finishReason).toBe('stop')
  })

  it('stops an aborted call that waits for a sequence', async () => {
    const running = [1, 2].map(() => worker.call('generate', openerRequest()))
    const controller = new AbortController()
    const waiting = worker.call('generate', request(400, 1), { signal: controller.signal })
    controller.abort()

    await expect(waiting).rejects.toMatchObject({ reason: 'aborted' })
    for (const { text } of await Promise.all(running)) expect(text).not.toBe('')
  })
})

describeWithWeights('loading a language model', missing, () => {
  it('fails for a missing file and for one that is not a model', async () => {
    const { model } = await languageSettings()
    const adapter = path.join(path.dirname(model), 'adapter.gguf')
    for (const noModel of [`${model}.missing`, adapter]) {
      await expect(startLanguageWorker({ model: noModel })).rejects.toThrow(WorkerStartError)
    }
  })

  it('fails with device gpu when there is none', async () => {
    const worker = await startLanguageWorker({ device: 'auto', sequences: 1 })
    const { device } = worker.info
    await worker.drain()

    const outcome = await startLanguageWorker({ device: 'gpu', sequences: 1 }).then(
      async (onGpu) => {
        await onGpu.drain()
        return onGpu.info.device
      },
      (error: Error) => error.name,
    )
    expect(outcome).toBe(device === 'cpu' ? 'WorkerStartError' : device)
  })

  it('limits the context window to the training context of the model', async () => {
    const worker = await startLanguageWorker({ contextSize: 100_000, sequences: 1 })
    const call = worker.call('generate', openerRequest({ maxTokens: 10_000 }))
    await expect(call).rejects.toThrow('at most 8192 tokens')
    await worker.drain()
  })
})
