import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { createApp } from '../../dist/http/app.js'
import { readConfig } from '../../dist/config/config.js'
import { openContext } from '../../dist/context.js'
import { ensureConfiguredPacks } from '../../dist/packs/ensure-configured-packs.js'
import { CAPABILITIES } from '../../dist/organizations/capability.js'
import { createFirstOrganization } from '../../dist/server/first-organization.js'
import { withTaggedPhotos } from './tagged-photos.js'

/** @typedef {Awaited<ReturnType<typeof openService>>} Service */

/**
 * The service as partners meet it, over HTTP, with a chosen pair of packs and a data folder that goes when it closes.
 * @param {{ clip: string, llm: string }} packs
 */
export async function openService({ clip, llm }) {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'profile-service-eval-'))
  const config = readConfig({
    LOG_LEVEL: 'error',
    ...process.env,
    DATA_DIR: dataDir,
    PLANS_FILE: writePlans(dataDir),
    CLIP_PACK: clip,
    LLM_PACK: llm,
  })
  await ensureConfiguredPacks(config)
  const context = withTaggedPhotos(await openContext(config))
  const apiKey = await createFirstOrganization({ ...context, dataDir }, context.clock())
  const server = http.createServer(createApp(context))
  await context.models.start()
  await context.warmUp()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  const baseUrl = `http://127.0.0.1:${address.port}`

  return {
    context,
    packs: { clip, llm },
    /**
     * One call, answered by the models or refused, never synthetic.
     * @param {string} route
     * @param {unknown} body
     * @param {Record<string, string>} [headers]
     * @returns {Promise<{ status: number, body: any, headers: Headers, milliseconds: number }>}
     */
    async post(route, body, headers = {}) {
      const startedAt = performance.now()
      const response = await fetch(baseUrl + route, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${apiKey}`,
          'Content-Type': 'application/json',
          'X-Service-Synthetic': 'never',
          ...headers,
        },
        body: JSON.stringify(body),
      })
      const answer = await response.json()
      const milliseconds = performance.now() - startedAt
      return { status: response.status, body: answer, headers: response.headers, milliseconds }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await context.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The same with the configured packs. */
export function openConfiguredService() {
  return openService(readConfig().packs)
}

/** An evaluation calls faster than any plan allows. */
function writePlans(/** @type {string} */ folder) {
  const limits = { included: 1e9, soft_cap: 1e9, requests_per_minute: 100_000 }
  const environment = Object.fromEntries(CAPABILITIES.map((capability) => [capability, limits]))
  const file = path.join(folder, 'evaluation-plans.json')
  writeFileSync(
    file,
    JSON.stringify({ plans: { evaluation: { test: environment, live: environment } } }),
  )
  return file
}
