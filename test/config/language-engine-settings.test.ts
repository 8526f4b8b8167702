import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { readConfig } from '../../src/config/config.js'

const read = (env: Record<string, string>) => readConfig({ ENV_FILE: '', ...env })
const ENGINE = { LANGUAGE_URL: 'http://engine:8000', LANGUAGE_ENGINE: 'llama-server' }

describe('the settings of language engines', () => {
  let folder: string
  const write = (name: string, text: string) => {
    const file = path.join(folder, name)
    writeFileSync(file, text)
    return file
  }
  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'pis-engines-'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('leave generation to the language worker when there is no URL', () => {
    const { inference, secrets } = read({})
    expect(inference).toMatchObject({ languageEngines: undefined, languageSequences: 12 })
    expect(secrets.languageApiKey).toBeUndefined()
  })

  it('list the engines in order, without trailing slashes', () => {
    const { inference } = read({
      LANGUAGE_URL: 'http://a:8000/, https://b/router/',
      LANGUAGE_ENGINE: 'vllm',
      LANGUAGE_MODEL: 'openers',
    })
    expect(inference).toMatchObject({
      languageEngines: {
        urls: ['http://a:8000', 'https://b/router'],
        engine: 'vllm',
        model: 'openers',
      },
      languageSequences: 48,
    })
  })

  it('bound the texts in generation by LANGUAGE_CONCURRENCY', () => {
    const { inference } = read({ ...ENGINE, LANGUAGE_CONCURRENCY: '100' })
    expect(inference.languageSequences).toBe(100)
    expect(inference.languageEngines?.concurrency).toBe(100)
  })

  it('use a URL that is listed twice once', () => {
    const { inference } = read({ ...ENGINE, LANGUAGE_URL: 'http://engine,http://engine/' })
    expect(inference.languageEngines?.urls).toEqual(['http://engine'])
  })

  it.each([['ftp://engine'], ['http://user:secret@engine'], ['http://engine?model=x'], [',']])(
    'refuse the URL %s',
    (url) => {
      expect(() => read({ ...ENGINE, LANGUAGE_URL: url })).toThrow('LANGUAGE_URL')
    },
  )

  it('refuse an engine that is not known', () => {
    expect(() => read({ ...ENGINE, LANGUAGE_ENGINE: 'tgi' })).toThrow('LANGUAGE_ENGINE')
  })

  it('report everything that is missing or has no effect at once', () => {
    const worker = { LANGUAGE_THREADS: '2', LANGUAGE_GPU: '0', LANGUAGE_SEQUENCES: '4' }
    const env = { LANGUAGE_URL: 'http://engine', LANGUAGE_ENGINE: 'vllm', ...worker }
    for (const name of [...Object.keys(worker), 'LANGUAGE_MODEL']) {
      expect(() => read(env)).toThrow(`${name}: `)
    }
    expect(() => read({ LANGUAGE_URL: 'http://engine' })).toThrow('LANGUAGE_ENGINE: ')
  })

  it('have no effect without a URL, and say so', () => {
    const env = { LANGUAGE_ENGINE: 'vllm', LANGUAGE_MODEL: 'm', LANGUAGE_CONCURRENCY: '4' }
    for (const name of Object.keys(env)) {
      expect(() => read(env)).toThrow(`${name}: has no effect without LANGUAGE_URL`)
    }
  })

  it('read the API key from its file', () => {
    const file = write('key', 'sk-abc\n')
    const { secrets } = read({ ...ENGINE, LANGUAGE_API_KEY_FILE: file })
    expect(secrets.languageApiKey).toBe('sk-abc')
  })

  it('refuse a key file that is missing or holds no key, without quoting it', () => {
    const damaged = write('damaged', 'two words')
    for (const file of [path.join(folder, 'none'), damaged]) {
      const attempt = () => read({ ...ENGINE, LANGUAGE_API_KEY_FILE: file })
      expect(attempt).toThrow(file)
      expect(attempt).not.toThrow('two words')
    }
  })
})
