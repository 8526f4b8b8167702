import type { EngineSettings } from '../../../config/language-engine-settings.js'
import { createEngineClient } from '../../engines/engine-client.js'
import type { EngineToCheck } from './check-engine.js'
import type { EngineProfile } from './engine-profile.js'
import { createJsonClient } from './json-client.js'
import { LLAMA_SERVER } from './llama-server-profile.js'
import { SGLANG, VLLM } from './openai-profile.js'

/** A completions server. */
export interface LanguageEngine extends EngineToCheck {
  /** Without its address. */
  name: string
  /** Tokens of a call that it takes; 0 before its first check. */
  contextSize: number
  /** Ends its connections. */
  close: () => void
}

const PROFILES: Record<EngineSettings['engine'], EngineProfile> = {
  vllm: VLLM,
  sglang: SGLANG,
  'llama-server': LLAMA_SERVER,
}

/** @param index - of its address in the settings */
export function createLanguageEngine(
  { urls, engine, model, concurrency }: EngineSettings,
  index: number,
  apiKey: string | undefined,
): LanguageEngine {
  const client = createEngineClient({ baseUrl: urls[index]!, apiKey, connections: concurrency })
  return {
    name: `engine ${index + 1} of ${urls.length}`,
    client: createJsonClient(client),
    profile: PROFILES[engine],
    model,
    contextSize: 0,
    close: () => client.close(),
  }
}
