import type { Config } from '../../config/config.js'
import { describePacks } from '../../inference/encoder/vision-properties.js'
import { createEngineClient, type EngineClient } from '../../inference/engines/engine-client.js'
import { EngineError } from '../../inference/engines/engine-error.js'
import { withLimit } from '../../inference/engines/with-limit.js'
import { readMetadata } from '../../inference/engines/kserve/metadata.js'
import { createVisionClient } from '../../inference/engines/worker/vision-client.js'
import { openVisionPacks } from '../../inference/open-vision.js'
import { failed, ok, type Check } from '../check.js'

type Packs = Awaited<ReturnType<typeof openVisionPacks>>

const CHECK_TIMEOUT_MS = 10_000
const FIX =
  'Let it run with the same packs as this service, and compare VISION_URL, VISION_PROTOCOL and VISION_API_KEY_FILE: "Vision engines" in docs/operating.md.'

/** A check of each server of VISION_URL. */
export function listVisionEngineChecks({ inference }: Pick<Config, 'inference'>): Check[] {
  const { visionEngines } = inference
  if (!visionEngines) return []
  const { urls, protocol } = visionEngines
  const examine = protocol === 'worker' ? describeWorker : describeKServe
  return urls.map((url, index) => ({
    name: `vision engine ${index + 1} of ${urls.length}`,
    run: async (config) => {
      const packs = await openVisionPacks(config, config.packs)
      const { visionApiKey: apiKey } = config.secrets
      const client = createEngineClient({ baseUrl: url, apiKey, connections: 1 })
      const { signal } = new AbortController()
      try {
        const found = await withLimit(CHECK_TIMEOUT_MS, signal, (limited) =>
          examine(client, packs, limited),
        )
        return ok(`${url} ${found}`)
      } catch (error) {
        if (!(error instanceof EngineError)) throw error
        return failed(`${url} ${error.message}`, FIX)
      } finally {
        client.close()
      }
    },
  }))
}

async function describeWorker(
  client: EngineClient,
  packs: Packs,
  signal: AbortSignal,
): Promise<string> {
  const { revision } = describePacks(packs).properties
  const worker = createVisionClient({ name: 'worker', client, revision })
  await worker.verify(signal)
  await worker.check(signal)
  const { device, threads, calls } = await worker.describe(signal)
  return `serves these packs with ${threads} threads on ${device}; ${calls.running} calls in progress, ${calls.waiting} waiting`
}

/** What a model answers is compared when the models are loaded: only then there is something to compare with. */
async function describeKServe(
  client: EngineClient,
  packs: Packs,
  signal: AbortSignal,
): Promise<string> {
  const { clip, photoSafety, bioSafety, match } = packs
  const models = [
    { name: `${clip.name}-vision`, packRevision: clip.revision },
    { name: `${clip.name}-text`, packRevision: clip.revision },
    ...[photoSafety, bioSafety, match].map(({ name, revision }) => ({
      name,
      packRevision: revision,
    })),
  ]
  const { status } = await client.send({
    method: 'GET',
    path: '/v2/health/ready',
    signal,
    maxBytes: 65_536,
  })
  if (status !== 200) throw new EngineError('refused', `is not ready (${status})`)
  for (const model of models) await readMetadata(client, model, signal)
  return `has the ${models.length} models of the packs; "model loading" compares what they answer`
}
