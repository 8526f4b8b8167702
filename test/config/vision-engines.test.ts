import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { readConfig } from '../../src/config/config.js'

const read = (env: Record<string, string>) => readConfig({ ENV_FILE: '', ...env })
const VISION_URL = 'http://triton-0:8000/, https://triton.example/gateway'

describe('the settings of vision engines', () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'profile-service-vision-'))
  })

  afterAll(async () => {
    await rm(folder, { recursive: true })
  })

  it('runs the models on this machine unless there is a URL', () => {
    expect(read({}).inference.visionEngines).toBeUndefined()
  })

  it('reads several URLs, each once and without a trailing slash', () => {
    const urls = ['http://triton-0:8000', 'https://triton.example/gateway']
    expect(read({ VISION_URL }).inference.visionEngines).toEqual({
      urls,
      protocol: 'kserve',
      concurrency: 16,
    })
    expect(read({ VISION_URL: `${urls[0]},${urls[0]}/` }).inference.visionEngines?.urls).toEqual([
      urls[0],
    ])
  })

  it.each([
    'triton:8000',
    'ftp://triton:8000',
    'http://user:secret@triton:8000',
    'http://triton:8000?key=secret',
    'http://triton:8000/#here',
    ',',
  ])('refuses %s as a URL', (url) => {
    expect(() => read({ VISION_URL: url })).toThrow('VISION_URL')
    expect(() => read({ VISION_URL: url })).not.toThrow('secret')
  })

  it.each([
    ['VISION_PROTOCOL', { VISION_PROTOCOL: 'worker' }],
    ['VISION_PROTOCOL', { VISION_URL, VISION_PROTOCOL: 'grpc' }],
    ['VISION_GPU', { VISION_URL, VISION_GPU: '0' }],
    ['VISION_THREADS', { VISION_URL, VISION_PROTOCOL: 'worker', VISION_THREADS: '2' }],
    ['VISION_CONCURRENCY', { VISION_URL, VISION_CONCURRENCY: '0' }],
  ])('refuses %s where it has no effect or no meaning', (name, env) => {
    expect(() => read(env)).toThrow(name)
  })

  it('reads the key from a file and repeats nothing of it in errors', async () => {
    const file = path.join(folder, 'key')
    await writeFile(file, 'a-key-of-some-length\n')
    expect(read({ VISION_API_KEY_FILE: file }).secrets.visionApiKey).toBe('a-key-of-some-length')
    for (const text of ['', 'short', 'a-key-of-some-length\r\nhost: x', 'k'.repeat(5_000)]) {
      await writeFile(file, text)
      const reading = () => read({ VISION_API_KEY_FILE: file })
      expect(reading).toThrow('VISION_API_KEY_FILE')
      expect(reading).not.toThrow('a-key')
    }
    expect(() => read({ VISION_API_KEY_FILE: path.join(folder, 'none') })).toThrow('ENOENT')
  })
})
