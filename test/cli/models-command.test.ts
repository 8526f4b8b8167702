import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { OperatorError } from '../../src/core/operator-error.js'
import { modelsCommand } from '../../src/cli/models-command.js'
import { contentHandler, sha256, startServer } from '../packs/support/model-server.js'
import { describePack, makeModelsDir, removeModelsDir } from '../packs/support/temp-models.js'

const content = randomBytes(3_000_000)
const pinned = { sha256: sha256(content), sizeBytes: content.length }
const repository = { type: 'repository' as const }

let modelsDir: string

beforeEach(async () => {
  modelsDir = await makeModelsDir()
})

afterEach(() => removeModelsDir(modelsDir))

/** Runs one command with the exit codes of main: 1 for a failure, 2 for wrong usage. */
async function run(...args: string[]) {
  let out = ''
  let err = ''
  const progress = new PassThrough()
  progress.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const config = {
    modelsDir,
    modelsOffline: false,
    hub: { endpoint: 'http://127.0.0.1:1' },
    secrets: { hubToken: undefined },
    packs: { clip: 'tiny', llm: 'tiny', photoSafety: 'other', bioSafety: 'other', match: 'other' },
  }
  const command = modelsCommand(config, {
    out: (text) => void (out += text),
    error: (text) => void (err += text),
    progress,
  })
  const exitCode = await command.parseAsync(args, { from: 'user' }).then(
    () => 0,
    (error: Error & { exitCode?: number }) => {
      if (error instanceof OperatorError) return 1
      return error.exitCode === 0 ? 0 : 2
    },
  )
  return { exitCode, out, err }
}

async function makePack(name: string, bytes: Buffer | undefined = content): Promise<string> {
  const folder = await describePack(modelsDir, name, [
    { path: 'tiny.gguf', ...pinned, sources: [repository] },
  ])
  if (bytes) await writeFile(path.join(folder, 'tiny.gguf'), bytes)
  return folder
}

async function states(): Promise<Record<string, string>> {
  const { out } = await run('list', '--json')
  const rows = JSON.parse(out) as { name: string; state: string }[]
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]))
}

describe('models list', () => {
  it('shows the state of every pack', async () => {
    await makePack('ready')
    await run('verify', 'ready')
    await makePack('unseen')
    await rm(path.join(await makePack('absent'), 'tiny.gguf'))
    await makePack('short', content.subarray(1))
    await makePack('changed', randomBytes(content.length))
    await run('verify', 'changed')
    const folder = await makePack('broken')
    await writeFile(path.join(folder, 'pack.json'), '{')
    expect(await states()).toEqual({
      ready: 'ready',
      unseen: 'not-verified',
      absent: 'missing',
      short: 'corrupt',
      changed: 'corrupt',
      broken: 'invalid',
    })
  })

  it('shows role, size, licence and selecting variables of a pack', async () => {
    await makePack('tiny')
    const { exitCode, out } = await run('list')
    expect(exitCode).toBe(0)
    expect(out.split('\n').find((line) => line.includes('tiny'))).toMatch(
      /tiny +│ llm +│ 3\.0 MB │ not verified │ MIT +│ CLIP_PACK/,
    )
  })

  it('fails if MODELS_DIR is missing', async () => {
    await removeModelsDir(modelsDir)
    expect((await run('list')).exitCode).toBe(1)
  })
})

describe('models pull', () => {
  it('pulls the packs selected by the configuration if none is named', async () => {
    for (const name of ['tiny', 'other', 'unwanted']) await makePack(name)
    const { exitCode, out } = await run('pull', '--json')
    expect(exitCode).toBe(0)
    expect(JSON.parse(out).map(({ name }: { name: string }) => name)).toEqual(['tiny', 'other'])
  })

  it('pulls all packs with --all', async () => {
    for (const name of ['tiny', 'other', 'third']) await makePack(name)
    const { out } = await run('pull', '--all', '--json')
    expect(JSON.parse(out)).toHaveLength(3)
  })

  it('prints the licence, and where each file came from', async () => {
    await makePack('tiny')
    const { out } = await run('pull', 'tiny')
    expect(out).toContain('MIT (https://models.example/licence)')
    expect(out).toMatch(/tiny\.gguf: already present/)
  })

  it('continues after a failing pack and exits with 1', async () => {
    await rm(path.join(await makePack('absent'), 'tiny.gguf'))
    await makePack('tiny')
    const { exitCode, out, err } = await run('pull', 'absent', 'tiny')
    expect(exitCode).toBe(1)
    expect(out).toMatch(/^tiny: ready/)
    expect(err).toMatch(/^absent: failed/)
  })

  it('prints a line for every 10 % without a terminal', async () => {
    const server = await startServer(contentHandler(content))
    try {
      const sources = [{ type: 'url' as const, url: `${server.origin}/tiny.gguf` }]
      await describePack(modelsDir, 'tiny', [{ path: 'tiny.gguf', ...pinned, sources }])
      const { err } = await run('pull', 'tiny')
      const percentages = [...err.matchAll(/tiny\.gguf: (\d+) %/g)].map((match) => Number(match[1]))
      expect(percentages.length).toBeLessThanOrEqual(10)
      expect(percentages.at(-1)).toBe(100)
      expect(err).not.toContain('\u001b')
    } finally {
      await server.close()
    }
  })

  it('does not use the network with --offline', async () => {
    const server = await startServer(contentHandler(content))
    try {
      const sources = [{ type: 'url' as const, url: `${server.origin}/tiny.gguf` }]
      await describePack(modelsDir, 'tiny', [{ path: 'tiny.gguf', ...pinned, sources }])
      expect((await run('pull', 'tiny', '--offline')).exitCode).toBe(1)
      expect(server.requests).toEqual([])
    } finally {
      await server.close()
    }
  })
})

describe('models verify', () => {
  it('accepts a pack with the right files', async () => {
    await makePack('tiny')
    const { exitCode, out } = await run('verify', 'tiny')
    expect(exitCode).toBe(0)
    expect(out).toMatch(/^tiny: ready, revision [0-9a-f]{12}/)
  })

  it('exits with 1 for a wrong file', async () => {
    await makePack('tiny', randomBytes(content.length))
    const { exitCode, out } = await run('verify', 'tiny')
    expect(exitCode).toBe(1)
    expect(out).toMatch(/^tiny: corrupt/)
  })

  it('pins a hash that is not stated anywhere, and then requires it', async () => {
    const folder = await describePack(modelsDir, 'tiny', [
      { path: 'tiny.gguf', sources: [repository] },
    ])
    await writeFile(path.join(folder, 'tiny.gguf'), content)
    const { exitCode, out } = await run('verify', 'tiny')
    expect(exitCode).toBe(0)
    expect(out).toMatch(/pinned in models\.lock\.json/)
    await writeFile(path.join(folder, 'tiny.gguf'), randomBytes(content.length))
    expect((await run('verify', 'tiny')).exitCode).toBe(1)
  })

  it('reports missing prompts', async () => {
    await makePack('tiny')
    await rm(path.join(modelsDir, 'prompts'), { recursive: true })
    expect((await run('verify', 'tiny')).exitCode).toBe(1)
  })
})

describe('models', () => {
  it('prints the folder of a pack', async () => {
    const folder = await makePack('tiny')
    expect(await run('path', 'tiny')).toEqual({ exitCode: 0, out: `${folder}\n`, err: '' })
  })

  it.each([
    ['path'],
    ['path', 'absent'],
    ['pull', 'absent'],
    ['verify', 'tiny', 'absent'],
    ['pull', '--fast'],
    ['fetch'],
    [],
  ])('%s %s is wrong usage', async (...args) => {
    await makePack('tiny')
    const { exitCode, out, err } = await run(...args)
    expect(exitCode).toBe(2)
    expect(out).toBe('')
    expect(err).not.toBe('')
  })

  it('prints help', async () => {
    const { exitCode, out } = await run('pull', '--help')
    expect(exitCode).toBe(0)
    expect(out).toContain('--offline')
  })
})
