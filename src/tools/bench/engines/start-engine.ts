import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LlmPack } from '../../../packs/open-pack.js'
import { llmWeights } from '../../../packs/role-sections.js'
import { PROJECT_FOLDER } from '../../project-folder.js'
import { findFreePort } from '../service/find-free-port.js'

const READY_TIMEOUT_MS = 60_000

export interface Engine {
  url: string
  /** Ends the process at once, as a crash does. */
  kill: () => Promise<void>
}

export interface EngineOptions {
  /** Folder of `llama-server`. */
  bin: string
  threads: number
  sequences: number
  /** Further flags of llama-server and their values. */
  flags?: Readonly<Record<string, string | number>>
}

/** Starts llama-server with the model of a pack, as docs/operating.md says. */
export async function startEngine(
  { llm }: LlmPack,
  { bin, threads, sequences, flags: further = {} }: EngineOptions,
): Promise<Engine> {
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const { model, adapter } = llmWeights(llm)
  const flags = {
    '--model': model,
    ...(adapter !== undefined && { '--lora': adapter }),
    '--threads': threads,
    '--parallel': sequences,
    '--ctx-size': sequences * llm.contextSize,
    '--host': '127.0.0.1',
    '--port': port,
    ...further,
  }
  const args = Object.entries(flags).flatMap(([flag, value]) => [flag, String(value)])
  const command = path.resolve(PROJECT_FOLDER, bin, 'llama-server')
  const child = spawn(command, args, { stdio: 'ignore' })
  process.once('exit', () => child.kill('SIGKILL'))
  await untilReady(child, `${url}/health`)
  return {
    url,
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
  }
}

async function untilReady(child: ChildProcess, url: string): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`llama-server ended with ${child.exitCode}.`)
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await sleep(100)
  }
  throw new Error('llama-server did not get ready within a minute.')
}
