import os from 'node:os'
import path from 'node:path'
import { startWorker } from '../../../dist/inference/workers/start-worker.js'
import { roleEnvironment } from '../../../dist/inference/workers/role-environment.js'
import { llmWeights } from '../../../dist/packs/role-sections.js'
import { projectDir } from '../../prepare.js'
import { startPeerServer } from '../peers/process.js'
import { freePort } from '../server-under-test.js'

/**
 * @typedef {object} Contender
 * @property {string} name
 * @property {(turns: Turn[], maxTokens: number) => Promise<number>} generate the number of tokens written
 * @property {() => Promise<unknown>} close
 */

/** @typedef {{ role: 'system' | 'user' | 'assistant', text: string }} Turn */
/** @typedef {import('../../../src/packs/open-pack.js').LlmPack} LlmPack */

const threads = os.availableParallelism()

/**
 * The language worker, without HTTP.
 * @param {LlmPack} pack
 * @param {number} sequences
 * @returns {Promise<Contender>}
 */
export async function openLanguageWorker({ llm, name }, sequences) {
  const { contextSize, gpuLayers, system } = llm
  const log = /** @type {any} */ ({ debug() {}, info() {}, warn() {}, error: console.error })
  const settings = {
    pack: name,
    ...llmWeights(llm),
    contextSize,
    gpuLayers,
    system,
    sequences,
    threads,
    device: 'cpu',
  }
  const environment = roleEnvironment('language', threads)
  const worker = await startWorker('language', settings, { log, environment })
  const sampling = { temperature: 0, minP: 0, seed: 1 }
  return {
    name: 'language worker',
    generate: async (turns, maxTokens) => {
      const request = { turns, maxTokens, sampling, stop: [] }
      const { generatedTokens } = /** @type {any} */ (await worker.call('generate', request))
      return generatedTokens
    },
    close: () => worker.drain(),
  }
}

/**
 * llama-server over HTTP, once with its prompt cache and once without.
 * @param {string} bin folder of `llama-server`
 * @param {LlmPack} pack
 * @param {number} sequences
 * @returns {Promise<Contender[]>}
 */
export async function openLlamaServer(bin, { llm }, sequences) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { contextSize } = llm
  const { model, adapter } = llmWeights(llm)
  const server = await startPeerServer({
    command: path.resolve(projectDir, bin, 'llama-server'),
    args: flags({
      '-m': model,
      ...(adapter !== undefined && { '--lora': adapter }),
      '-t': threads,
      '-np': sequences,
      '-c': sequences * contextSize,
      '--host': '127.0.0.1',
      '--port': port,
    }),
    readyUrl: `${url}/health`,
  })
  /** @type {(isCached: boolean) => Contender['generate']} */
  const generate = (isCached) => async (turns, maxTokens) => {
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        messages: turns.map(({ role, text }) => ({ role, content: text })),
        max_tokens: maxTokens,
        temperature: 0,
        cache_prompt: isCached,
      }),
    })
    if (!response.ok) throw new Error(`llama-server: ${response.status} ${await response.text()}`)
    const { usage } = /** @type {any} */ (await response.json())
    return usage.completion_tokens
  }
  return [
    { name: 'llama-server', generate: generate(true), close: server.close },
    { name: 'llama-server, no cache', generate: generate(false), close: async () => {} },
  ]
}

function flags(/** @type {Record<string, string | number>} */ values) {
  return Object.entries(values).flatMap(([flag, value]) => [flag, String(value)])
}
