import type { Generation, GenerationRequest } from '../../src/inference/language/language.js'
import type { Models } from '../../src/inference/open-models.js'
import { loadPrompts } from '../../src/inference/language/prompts.js'
import type { PairScores, PhotoOutcome, ProfilePair } from '../../src/inference/encoder/vision.js'
import { contentStems } from '../../src/text/words.js'

const DIMENSION = 256

export interface FakeBehaviour {
  /** Answers of the language model, by call; the last one is repeated. */
  generations?: (request: GenerationRequest, callIndex: number) => string | Promise<string>
  /** Outcome for the bytes of a photo. */
  photo?: (bytes: Uint8Array) => PhotoOutcome
}

/**
 * Models without weights: texts with common words have similar embeddings, profiles with common words match, and every
 * photo shows a cat.
 */
export async function createFakeModels(behaviour: FakeBehaviour = {}): Promise<Models> {
  const prompts = {
    ...(await loadPrompts('models/smollm2-135m-openers/prompts')),
    // The pack's guidance was made for its own model.
    openerGuidance: { beginnings: {}, reranker: undefined },
    matchReason: () => ({ turns: [{ role: 'user' as const, text: 'Match' }] }),
  }
  let calls = 0
  return {
    vision: {
      embedTexts: async (texts) => texts.map(embedWords),
      embedCaptions: async (captions) => captions.map(embedWords),
      analyzePhotos: async (photos) =>
        photos.map(
          behaviour.photo ??
            (() => ({
              ok: true,
              analysis: { embedding: embedWords('a photo of a cat'), nsfw: 0.01 },
            })),
        ),
      classifyBio: async () => ({ verdict: 'unsure' }),
      scorePairs: async (pairs) => pairs.map(scoreWords),
      revision: () => 'fake',
      logitScale: () => 60,
    },
    language: {
      generate: async (request, { signal }): Promise<Generation> => {
        signal.throwIfAborted()
        const text = await (behaviour.generations ?? answerSensibly)(request, calls++)
        signal.throwIfAborted()
        return {
          text,
          finishReason: 'stop',
          promptTokens: 1,
          cachedTokens: 0,
          generatedTokens: 1,
          logprob: { mean: 0, min: 0 },
        }
      },
    },
    prompts: () => prompts,
    status: () => [
      { role: 'vision', state: 'ready', packs: ['fake'], device: 'cpu' },
      { role: 'language', state: 'ready', packs: ['fake'], device: 'cpu' },
    ],
    start: async () => {},
    swap: async () => {},
    close: async () => {},
  }
}

/** Hashes each word stem to one dimension; unit norm. */
function embedWords(text: string): Float32Array {
  const embedding = new Float32Array(DIMENSION)
  embedding[0] = 0.1
  for (const stem of contentStems(text)) {
    let hash = 7
    for (const character of stem) hash = (hash * 31 + character.codePointAt(0)!) % (DIMENSION - 1)
    embedding[hash + 1]! += 1
  }
  const norm = Math.hypot(...embedding)
  return embedding.map((value) => value / norm)
}

/** Scores a pair by the proportion of word stems that both profiles have. */
function scoreWords([a, b]: ProfilePair): PairScores {
  const [left, right] = [contentStems(a), contentStems(b)]
  const shared = [...left].filter((stem) => right.has(stem)).length
  const proportion = shared / Math.max(1, left.size, right.size)
  return {
    compatibility: 4 * proportion - 2,
    categories: {
      shared_hobbies: 2,
      lifestyle_fit: 1,
      similar_goals: 0,
      complementary_traits: -1,
      aesthetic_alignment: -2,
    },
  }
}

const OPENERS = [
  'Your cat looks ready to take over the whole sourdough business.',
  'What does the cat think of your sourdough habit?',
  'That cat in your photo deserves a pottery bowl of its own.',
  'A cat, a kiln and fresh sourdough: count me in.',
  'You had me at sourdough.',
  'Which pottery bowl came out of the kiln as a surprise?',
  'Your kiln must be the warmest place in winter.',
]

function answerSensibly(request: GenerationRequest, callIndex: number): string {
  const user = request.turns.at(-1)?.text ?? ''
  if (user.endsWith('Preferences')) return 'interests: pottery, sourdough; lifestyle: creative'
  if (user.endsWith('Match')) return 'You both love pottery and a good story.'
  const asks = user.includes('open_question')
  const fitting = OPENERS.filter((opener) => opener.includes('?') === asks)
  return fitting[callIndex % fitting.length]!
}
