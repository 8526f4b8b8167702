import path from 'node:path'
import type { LanguageSettings } from '../../../inference/language/language-settings.js'
import type { ChatTurn, LanguageMethods } from '../../../inference/language/language.js'
import type { LlmPack } from '../../../packs/open-pack.js'
import { llmWeights } from '../../../packs/role-sections.js'
import { PROJECT_FOLDER } from '../../project-folder.js'
import { startPeerServer } from '../peers/peer-process.js'
import { findFreePort } from '../service/find-free-port.js'
import { startStandaloneWorker, THREADS } from '../service/start-standalone-worker.js'

/** A runtime that generates text. */
export interface LanguageContender {
  name: string
  /** Returns the number of generated tokens. */
  generate: (turns: readonly ChatTurn[], maxTokens: number) => Promise<number>
  close: () => Promise<unknown>
}

/** Starts the language worker, without HTTP. */
export async function openLanguageWorker(
  { llm, name }: LlmPack,
  sequences: number,
): Promise<LanguageContender> {
  const { contextSize, gpuLayers, system } = llm
  const settings: LanguageSettings = {
    pack: name,
    ...llmWeights(llm),
    contextSize,
    gpuLayers,
    system,
    sequences,
    threads: THREADS,
    device: 'cpu',
  }
  const worker = await startStandaloneWorker<LanguageMethods>('language', settings)
  const sampling = { temperature: 0, minP: 0, seed: 1 }
  return {
    name: 'language worker',
    generate: async (turns, maxTokens) => {
      const request = { turns: [...turns], maxTokens, sampling, stop: [] }
      return (await worker.call('generate', request)).generatedTokens
    },
    close: () => worker.drain(),
  }
}

/**
 * Starts llama-server, which counts as two contenders: with and without its prompt cache.
 * @param bin - folder of `llama-server`
 */
export async function openLlamaServer(
  bin: string,
  { llm }: LlmPack,
  sequences: number,
): Promise<LanguageContender[]> {
  const port = await findFreePort()
  const baseUrl = `http://127.0.0.1:${port}`
  const { model, adapter } = llmWeights(llm)
  const server = await startPeerServer({
    command: path.resolve(PROJECT_FOLDER, bin, 'llama-server'),
    args: toFlags({
      '-m': model,
      ...(adapter !== undefined && { '--lora': adapter }),
      '-t': THREADS,
      '-np': sequences,
      '-c': sequences * llm.contextSize,
      '--host': '127.0.0.1',
      '--port': port,
    }),
    readyUrl: `${baseUrl}/health`,
  })
  const generateWith = (usesCache: boolean): LanguageContender['generate'] => {
    return (turns, maxTokens) => completeChat(baseUrl, { turns, maxTokens, usesCache })
  }
  return [
    { name: 'llama-server', generate: generateWith(true), close: server.close },
    { name: 'llama-server, no cache', generate: generateWith(false), close: async () => {} },
  ]
}

interface ChatRequest {
  turns: readonly ChatTurn[]
  maxTokens: number
  usesCache: boolean
}

/** Returns the number of generated tokens. */
async function completeChat(baseUrl: string, request: ChatRequest): Promise<number> {
  const response = await fetch(`${baseUrl}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      messages: request.turns.map(({ role, text }) => ({ role, content: text })),
      max_tokens: request.maxTokens,
      temperature: 0,
      cache_prompt: request.usesCache,
    }),
  })
  if (!response.ok) throw new Error(`llama-server: ${response.status} ${await response.text()}`)
  const { usage } = (await response.json()) as { usage: { completion_tokens: number } }
  return usage.completion_tokens
}

function toFlags(values: Readonly<Record<string, string | number>>): string[] {
  return Object.entries(values).flatMap(([flag, value]) => [flag, String(value)])
}
