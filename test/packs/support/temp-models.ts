import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { FileSource } from '../../../src/packs/manifest.js'
import type { PullSettings } from '../../../src/packs/pull-settings.js'

export interface TestFile {
  path: string
  sizeBytes?: number | undefined
  sha256?: string | undefined
  sources: FileSource[]
}

/** A MODELS_DIR in the system's temporary folder, with the prompts that language packs of tests name. */
export async function makeModelsDir(): Promise<string> {
  const modelsDir = await mkdtemp(path.join(os.tmpdir(), 'models-'))
  await mkdir(path.join(modelsDir, 'prompts'))
  return modelsDir
}

export async function removeModelsDir(modelsDir: string): Promise<void> {
  await rm(modelsDir, { recursive: true, force: true })
}

/** Writes the pack.json of a language pack whose model is the first file. */
export async function describePack(
  modelsDir: string,
  name: string,
  files: TestFile[],
  llm: { adapter?: string; merged?: string } = {},
): Promise<string> {
  const folder = path.join(modelsDir, name)
  await mkdir(folder, { recursive: true })
  const manifest = {
    name,
    role: 'llm',
    title: `Test pack ${name}`,
    homepage: 'https://models.example/card',
    licence: { spdx: 'MIT', url: 'https://models.example/licence' },
    files,
    llm: {
      model: files[0]?.path,
      contextSize: 1024,
      prompts: '../prompts',
      sampling: { temperature: 0.5 },
      ...llm,
    },
  }
  await writeFile(path.join(folder, 'pack.json'), JSON.stringify(manifest))
  return folder
}

/** Settings that pull at once from a hub nobody serves, without waiting between attempts. */
export function testSettings(changes: Partial<PullSettings> = {}): PullSettings {
  return { hub: { endpoint: 'http://127.0.0.1:1' }, offline: false, retryBaseMs: 1, ...changes }
}

/** Every file below a folder, relative to it, without pack.json; none when there is no folder. */
export async function filesBelow(folder: string): Promise<string[]> {
  const options = { recursive: true, withFileTypes: true } as const
  const entries = await readdir(folder, options).catch(() => [])
  return entries
    .filter((entry) => entry.isFile() && entry.name !== 'pack.json')
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()
}
