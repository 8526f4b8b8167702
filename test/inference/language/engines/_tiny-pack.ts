import { createHash } from 'node:crypto'
import { copyFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { writeTinyVocabulary } from './_tiny-vocabulary.js'

/** Writes the pack `tiny` with the tiny vocabulary and the prompts of the default pack. */
export async function writeTinyPack(modelsDir: string): Promise<void> {
  const folder = path.join(modelsDir, 'tiny')
  await mkdir(path.join(folder, 'prompts'), { recursive: true })
  const file = path.join(folder, 'tiny.gguf')
  await writeTinyVocabulary(file)
  for (const name of ['opener.jinja', 'preferences.jinja']) {
    const from = path.join('models', 'smollm2-135m-openers', 'prompts', name)
    await copyFile(from, path.join(folder, 'prompts', name))
  }
  const manifest = {
    name: 'tiny',
    role: 'llm',
    title: 'A vocabulary of bytes',
    homepage: 'https://example.com',
    licence: { spdx: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    files: [
      {
        path: 'tiny.gguf',
        sizeBytes: (await stat(file)).size,
        sha256: createHash('sha256')
          .update(await readFile(file))
          .digest('hex'),
        sources: [{ type: 'repository' }],
      },
    ],
    llm: {
      model: 'tiny.gguf',
      contextSize: 1_024,
      prompts: 'prompts',
      system: 'You write for a dating app.',
      sampling: { temperature: 0.6, minP: 0.08 },
    },
  }
  await writeFile(path.join(folder, 'pack.json'), JSON.stringify(manifest))
}
