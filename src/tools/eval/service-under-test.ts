import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { readConfig } from '../../config/config.js'
import { openContext, type AppContext } from '../../context.js'
import { createApp } from '../../http/app.js'
import type { MatchResponse } from '../../match/match-contract.js'
import type { OpenersResponse } from '../../openers/openers-contract.js'
import { FIXED_POLICY } from '../../openers/opener-policy.js'
import { CAPABILITIES } from '../../organizations/capability.js'
import { ensureConfiguredPacks } from '../../packs/ensure-configured-packs.js'
import type { InferPreferencesResponse } from '../../preferences/preferences-contract.js'
import { createFirstOrganization } from '../../server/first-organization.js'
import type { PackNames } from './evaluation-report.js'
import { withTaggedPhotos } from './tagged-photos.js'

interface Answers {
  '/v1/profile/infer-preferences': InferPreferencesResponse
  '/v1/match/evaluate': MatchResponse
  '/v1/conversation/openers': OpenersResponse
}

/** Reply to one call. */
export interface Reply<T> {
  status: number
  /** Undefined unless the status is 200. */
  answer: T | undefined
  milliseconds: number
}

export interface ServiceUnderTest {
  context: AppContext
  /** Makes one call, which never gets a synthetic answer. */
  post<Path extends keyof Answers>(
    route: Path,
    body: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply<Answers[Path]>>
  /** Stops the service and deletes its data folder. */
  close(): Promise<void>
}

/**
 * Starts the service in this process, on HTTP, with a pair of packs and a temporary data folder.
 * @param environment - settings that differ from those of the process
 */
export async function openService(
  { clip, llm }: PackNames,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServiceUnderTest> {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'profile-service-eval-'))
  const config = readConfig({
    LOG_LEVEL: 'error',
    // Below its needed evidence the learner draws the order of styles, and runs would differ.
    LEARNING: 'false',
    ...process.env,
    ...environment,
    DATA_DIR: dataDir,
    PLANS_FILE: writePlans(dataDir),
    CLIP_PACK: clip,
    LLM_PACK: llm,
  })
  await ensureConfiguredPacks(config)
  // Nothing is learnt without replies, and a drawn order of styles would make two runs differ by chance.
  const context = withTaggedPhotos(await openContext(config, { openerPolicy: FIXED_POLICY }))
  const apiKey = await createFirstOrganization({ ...context, dataDir }, context.clock())
  const server = http.createServer(createApp(context))
  await context.models.start()
  await context.warmUp()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    context,
    async post<T>(route: string, body: object, headers = {}): Promise<Reply<T>> {
      const startedAt = performance.now()
      const response = await fetch(`http://127.0.0.1:${port}${route}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${apiKey}`,
          'Content-Type': 'application/json',
          'X-Service-Synthetic': 'never',
          ...headers,
        },
        body: JSON.stringify(body),
      })
      const { status } = response
      const content = (await response.json()) as T
      const milliseconds = performance.now() - startedAt
      return { status, answer: status === 200 ? content : undefined, milliseconds }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await context.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Starts the service with the configured packs. */
export function openConfiguredService(): Promise<ServiceUnderTest> {
  return openService(readConfig().packs)
}

/** Writes a plan without limits: an evaluation makes more calls than the usual plans allow. */
function writePlans(folder: string): string {
  const unlimited = { included: 1e9, soft_cap: 1e9, requests_per_minute: 100_000 }
  const limits = Object.fromEntries(CAPABILITIES.map((capability) => [capability, unlimited]))
  const file = path.join(folder, 'evaluation-plans.json')
  writeFileSync(file, JSON.stringify({ plans: { evaluation: { test: limits, live: limits } } }))
  return file
}
