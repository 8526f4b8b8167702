import { EngineError } from '../../engines/engine-error.js'
import type { JsonClient } from './json-client.js'
import type { EngineProfile } from './engine-profile.js'
import type { ModelIdentity } from './tokenizer.js'

export interface EngineToCheck {
  client: JsonClient
  profile: EngineProfile
  /** LANGUAGE_MODEL. */
  model: string | undefined
}

/**
 * Checks that an engine serves the model of the pack, tokenizes as the pack does, and answers a completion of one token with all fields
 * that a call sends.
 * @returns tokens of a call that engine and pack both take, prompt and answer
 * @throws EngineError
 * @throws the abort reason
 */
export async function checkEngine(
  engine: EngineToCheck,
  identity: ModelIdentity,
  signal: AbortSignal,
): Promise<number> {
  const { client, profile, model } = engine
  const contextSize = await identifyEngine(engine, identity, signal)
  for (const { text, tokens } of identity.probes) {
    const theirs = await profile.tokenize(client, text, { model, signal })
    if (!isSame(tokens, theirs)) {
      throw new EngineError(
        'mismatch',
        'it tokenizes a fixed sentence in another way than the pack',
      )
    }
  }
  const request = {
    prompt: identity.sample,
    maxTokens: 1,
    sampling: { temperature: 0.5, minP: 0.1, topP: 0.9, seed: 1 },
    stop: ['\n'],
    endTokens: identity.endTokens,
    cacheSalt: 'check',
  }
  await profile.complete(client, request, { model, signal })
  return contextSize
}

/** The quick part of the check, for an engine that has passed it. */
export async function identifyEngine(
  { client, profile, model }: EngineToCheck,
  identity: ModelIdentity,
  signal: AbortSignal,
): Promise<number> {
  const { contextSize } = await profile.identify(client, { ...identity, name: model }, signal)
  return Math.min(contextSize ?? Infinity, identity.contextSize)
}

function isSame(ours: readonly number[], theirs: readonly number[]): boolean {
  return ours.length === theirs.length && ours.every((token, index) => token === theirs[index])
}
