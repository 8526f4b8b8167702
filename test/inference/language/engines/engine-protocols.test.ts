import { afterEach, describe, expect, it } from '@jest/globals'
import type { EngineName } from '../../../../src/config/language-engine-settings.js'
import { PROBABILITY, startFakeEngine, type FakeBehaviour } from './_fake-engine.js'
import { engineCall, engineRequest, openFixtureHost } from './_fixture-engine-host.js'
import { tokenizeTiny } from './_tiny-vocabulary.js'

const ENGINES: EngineName[] = ['vllm', 'sglang', 'llama-server']

const SALT = expect.stringMatching(/^[\w-]{43}$/)

describe.each(ENGINES)('the protocol of %s', (name) => {
  const closers: (() => Promise<void>)[] = []
  afterEach(async () => {
    for (const close of closers.splice(0)) await close()
  })

  async function open(changes: Partial<FakeBehaviour> = {}, options = {}) {
    const engine = await startFakeEngine(name, changes)
    const fixture = openFixtureHost(name, [engine], options)
    closers.push(fixture.host.close, engine.kill)
    return { engine, ...fixture }
  }

  it('sends token ids and every setting of the sampling, and reads text and probabilities', async () => {
    const { engine, host } = await open({ write: () => 'What a cat\nand more' })
    await host.start()
    const generation = await host.call('generate', engineRequest({ prefill: 'Hey' }), engineCall())
    const prompt = tokenizeTiny('Write.\nHey')
    const tokens = 'What a cat'.length + 1
    expect(generation).toEqual({
      text: 'What a cat',
      finishReason: 'stop',
      promptTokens: prompt.length,
      cachedTokens: prompt.length - 1,
      generatedTokens: tokens,
      logprob: { mean: expect.closeTo(Math.log(PROBABILITY)), min: Math.log(PROBABILITY) },
    })
    const [request] = engine.requests
    expect(request).toMatchObject({ prompt, temperature: 0.5, top_k: 100, seed: 7, stop: ['\n'] })
    // llama.cpp applies min-p before the temperature, the others after it.
    expect(request!.min_p).toBeCloseTo(name === 'llama-server' ? 0.09 : 0.09 ** 2)
  })

  it('ends at the limit of tokens', async () => {
    const { host } = await open()
    await host.start()
    const request = engineRequest({ maxTokens: 5 })
    expect(await host.call('generate', request, engineCall())).toMatchObject({
      text: 'An an',
      finishReason: 'length',
      generatedTokens: 5,
    })
  })

  it('salts the prefix cache by tenant where the engine can', async () => {
    const { engine, host } = await open()
    await host.start()
    for (const tenant of ['a:live', 'b:live', 'a:live']) {
      await host.call('generate', engineRequest({ tenant }), engineCall())
    }
    const [a, b, again] = engine.requests.map((request) => request.cache_salt)
    const salt = name === 'llama-server' ? undefined : SALT
    expect([a, b]).toEqual([salt, salt])
    expect(again).toBe(a)
    expect(a === b).toBe(salt === undefined)
  })

  it('keeps connections open where the engine does not close them by itself', async () => {
    const { engine, host } = await open()
    await host.start()
    await host.call('generate', engineRequest(), engineCall())
    expect(engine.connections.at(-1)).toBe(name === 'llama-server' ? 'close' : 'keep-alive')
  })

  it('refuses texts that are longer than the context of the engine', async () => {
    const { host } = await open()
    await host.start()
    const long = engineRequest({ turns: [{ role: 'user', text: 'x'.repeat(1_024) }] })
    await expect(host.call('generate', long, engineCall())).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })

  it('limits the size of an answer', async () => {
    const { engine, host } = await open()
    await host.start()
    engine.behaviour.ballast = 2_000_000
    await expect(host.call('generate', engineRequest(), engineCall())).rejects.toMatchObject({
      code: 'model_unavailable',
    })
  })

  it('is not ready with another model', async () => {
    const { host } = await open({ model: 'another' })
    await expect(host.start()).rejects.toThrow(/another|tiny\.gguf/)
    expect(host.state()).toBe('failed')
    expect(host.problem()).toContain('engine 1 of 1')
  })

  it('is not ready when it tokenizes in another way', async () => {
    const { host } = await open({ tokenize: (text) => [...tokenizeTiny(text), 9] })
    await expect(host.start()).rejects.toThrow('tokenizes')
    expect(host.state()).toBe('failed')
  })

  it('is not ready when it refuses a field', async () => {
    const { host } = await open({ status: 400 })
    await expect(host.start()).rejects.toThrow('refuses a field')
  })

  it('is not ready when it refuses the key', async () => {
    const { host } = await open({}, { apiKey: 'wrong' })
    await expect(host.start()).rejects.toThrow('LANGUAGE_API_KEY_FILE')
  })

  it('logs and reports neither text nor address', async () => {
    const { engine, host, log } = await open()
    await host.start()
    engine.behaviour.status = 500
    const secret = engineRequest({ turns: [{ role: 'user', text: 'Potter from Leeds' }] })
    const error: unknown = await host.call('generate', secret, engineCall()).catch((e) => e)
    const told = JSON.stringify([log.lines, String(error), host.problem()])
    expect(told).not.toMatch(/Potter|127\.0\.0\.1/)
  })
})
