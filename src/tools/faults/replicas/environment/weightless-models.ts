import { appendFileSync, existsSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { PairScores, VisionModel } from '../../../../inference/encoder/vision.js'
import type { Generation, LanguageModel } from '../../../../inference/language/language.js'
import { loadPrompts } from '../../../../inference/language/prompts.js'
import type { Models } from '../../../../inference/open-models.js'
import { PROJECT_FOLDER } from '../../../project-folder.js'
import { EXECUTIONS_FILE, HOLD_FILE, MARK } from './model-files.js'

const DIMENSION = 64
const HOLD_POLL_MS = 10
const PROMPTS = path.join(PROJECT_FOLDER, 'models', 'smollm2-135m-openers', 'prompts')

/**
 * Models without weights at the boundary where the service asks its models: they compute nothing, so that thousands of calls
 * take seconds. The language model writes down what it was asked for, and waits while it is held.
 */
export async function createWeightlessModels(dataDir: string): Promise<Models> {
  const prompts = await loadPrompts(PROMPTS)
  return {
    vision: createVision(),
    language: createLanguage(dataDir),
    prompts: () => prompts,
    status: () => [
      { role: 'vision', state: 'ready', packs: ['none'], device: 'cpu' },
      { role: 'language', state: 'ready', packs: ['none'], device: 'cpu' },
    ],
    start: () => Promise.resolve(),
    swap: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}

function createVision(): VisionModel {
  return {
    analyzePhotos: (photos) =>
      Promise.resolve(photos.map(() => ({ ok: true, analysis: { embedding: embed(1), nsfw: 0 } }))),
    embedTexts: (texts) => Promise.resolve(texts.map((text) => embed(text.length))),
    embedCaptions: (captions) => Promise.resolve(captions.map((caption) => embed(caption.length))),
    classifyBio: () => Promise.resolve({ verdict: 'harmless' }),
    scorePairs: (pairs) => Promise.resolve(pairs.map(() => SCORES)),
    revision: () => 'none',
    logitScale: () => 60,
  }
}

function createLanguage(dataDir: string): LanguageModel {
  const holdFile = path.join(dataDir, HOLD_FILE)
  const executionsFile = path.join(dataDir, EXECUTIONS_FILE)
  return {
    generate: async ({ turns }, { signal }): Promise<Generation> => {
      const mark = MARK.exec(turns.at(-1)?.text ?? '')?.[1]
      if (mark !== undefined) appendFileSync(executionsFile, `${mark}\n`)
      while (existsSync(holdFile)) await delay(HOLD_POLL_MS, undefined, { signal })
      signal.throwIfAborted()
      return {
        text: 'interests: dogs, walking; lifestyle: early riser',
        finishReason: 'stop',
        promptTokens: 1,
        cachedTokens: 0,
        generatedTokens: 1,
        logprob: { mean: 0, min: 0 },
      }
    },
  }
}

const SCORES: PairScores = {
  compatibility: 0,
  categories: {
    shared_hobbies: 0,
    lifestyle_fit: 0,
    similar_goals: 0,
    complementary_traits: 0,
    aesthetic_alignment: 0,
  },
}

/** One of a few directions, of unit norm. */
function embed(index: number): Float32Array {
  const embedding = new Float32Array(DIMENSION)
  embedding[index % DIMENSION] = 1
  return embedding
}
