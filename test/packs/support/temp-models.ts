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

/** Creates a temporary MODELS_DIR with the prompts that the tests' language packs use. */
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

/** Pull settings with an unreachable Hub and no delay between attempts. */
export function testSettings(changes: Partial<PullSettings> = {}): PullSettings {
  return { hub: { endpoint: 'http://127.0.0.1:1' }, offline: false, retryBaseMs: 1, ...changes }
}

/** Lists all files in a folder as relative paths, without pack.json; none if the folder does not exist. */
export async function filesBelow(folder: string): Promise<string[]> {
  const options = { recursive: true, withFileTypes: true } as const
  const entries = await readdir(folder, options).catch(() => [])
  return entries
    .filter((entry) => entry.isFile() && entry.name !== 'pack.json')
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .sort()
}
