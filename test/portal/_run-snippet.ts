import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { transform } from '@swc/core'

const run = promisify(execFile)
const TIMEOUT_MS = 60_000

/**
 * Runs a snippet as a partner would: in a folder with a `photo.jpg` and this project's packages, which include the client.
 * @returns its standard output
 * @throws if it exits with an error
 */
export async function runSnippet(
  { language, code }: { language: string; code: string },
  env: Record<string, string>,
): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'snippet-'))
  try {
    await copyFile(path.join('examples', 'photos', 'cat.jpg'), path.join(folder, 'photo.jpg'))
    await symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'))
    const { NODE_OPTIONS: _jestOnly, ...inherited } = process.env
    const options = { cwd: folder, timeout: TIMEOUT_MS, env: { ...inherited, ...env } }
    const [program, ...args] = await COMMANDS[language as keyof typeof COMMANDS](folder, code)
    return (await run(program!, args, options)).stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}

const COMMANDS = {
  curl: async (folder: string, code: string) => {
    await writeFile(path.join(folder, 'snippet.sh'), code)
    return ['bash', '-e', 'snippet.sh']
  },
  TypeScript: async (folder: string, code: string) => {
    const { code: javascript } = await transform(code, {
      jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    })
    await writeFile(path.join(folder, 'snippet.mjs'), javascript)
    return [process.execPath, 'snippet.mjs']
  },
  Python: async (folder: string, code: string) => {
    await writeFile(path.join(folder, 'snippet.py'), code)
    return ['python3', 'snippet.py']
  },
}
