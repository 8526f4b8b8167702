import path from 'node:path'
import type { LanguageSettings } from '../../src/inference/language/language-settings.js'
import type { GenerationRequest, LanguageMethods } from '../../src/inference/language/language.js'
import { startWorker } from '../../src/inference/workers/start-worker.js'
import type { WorkerProcess } from '../../src/inference/workers/worker-process.js'
import { openPack } from '../../src/packs/open-pack.js'
import { llmWeights } from '../../src/packs/role-sections.js'
import { createLog } from '../../src/telemetry/log.js'

export type LanguageWorker = WorkerProcess<LanguageMethods>

/** The reason why the weights of the language model cannot be used; undefined if they can. */
export async function missingLanguageWeights(): Promise<string | undefined> {
  try {
    await languageSettings()
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown error'
  }
}

/** The default pack on one thread: several spin against each other when other tests use the cores. */
export async function languageSettings(): Promise<LanguageSettings> {
  const pack = await openPack({ modelsDir: path.resolve('models') }, 'smollm2-135m-openers', 'llm')
  return {
    pack: pack.name,
    ...llmWeights(pack.llm),
    contextSize: pack.llm.contextSize,
    sequences: 2,
    threads: 1,
    device: 'cpu',
    gpuLayers: 'auto',
    system: pack.llm.system,
  }
}

export async function startLanguageWorker(
  changes: Partial<LanguageSettings> = {},
): Promise<LanguageWorker> {
  const settings = { ...(await languageSettings()), ...changes }
  return startWorker<LanguageMethods>('language', settings, {
    log: createLog({ level: 'silent', format: 'json' }),
    environment: {},
  })
}

/** A request in the training format of the default pack. */
export function openerRequest(changes: Partial<GenerationRequest> = {}): GenerationRequest {
  return {
    turns: [
      { role: 'system', text: 'You write for a dating app.' },
      { role: 'user', text: openerPrompt('open_question') },
    ],
    maxTokens: 64,
    sampling: { temperature: 0.6, minP: 0.08, seed: 1 },
    stop: ['\n'],
    ...changes,
  }
}

export function openerPrompt(style: string): string {
  return [
    'Recipient: Maya',
    'Bio: Weekend climber, weekday data analyst.',
    'Photos: climbing wall, greyhound, loaf of bread',
    'Likes: rock climbing, baking',
    'Sender: Sam',
    'Sender likes: hiking, dogs, early riser',
    'Tone: playful',
    `Style: ${style}`,
  ].join('\n')
}

/** The request with another user turn. */
export function withUserText(request: GenerationRequest, text: string): GenerationRequest {
  return {
    ...request,
    turns: request.turns.map((turn) => (turn.role === 'user' ? { ...turn, text } : turn)),
  }
}
