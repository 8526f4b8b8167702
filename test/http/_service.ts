import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createApp } from '../../src/http/app.js'
import { readConfig } from '../../src/config/config.js'
import { openContext, type AppContext, type ContextOverrides } from '../../src/context.js'
import { FIXED_POLICY } from '../../src/openers/opener-policy.js'
import { NO_EXEMPLARS } from '../../src/openers/exemplars/exemplar-source.js'
import { createFirstOrganization } from '../../src/server/first-organization.js'
import { databaseEnvironment, dropTestDatabase } from '../_database.js'
import { createFakeModels } from './_fake-models.js'

export interface Service {
  baseUrl: string
  /** A test key with every capability. */
  apiKey: string
  context: AppContext
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** Waits for the next request to arrive, and until the server has taken that many bytes of its body. */
  untilRead(bytes: number): Promise<void>
  close(): Promise<void>
}

export interface Answer {
  status: number
  headers: Headers
  text: string
  // Tests read answers of any shape.
  // eslint-disable-next-line typescript/no-explicit-any
  body: any
}

export interface ServiceOptions extends ContextOverrides {
  env?: Record<string, string>
  /** Openers are chosen by the learner; otherwise, so that tests can say what is written, by the fixed order. */
  learns?: boolean
  /** Whether the server is stopping. Default: no. */
  isStopping?: () => boolean
}

/**
 * Starts the real application with a new database on a free port; with fake models, styles in a fixed order and no exemplars,
 * unless other parts are given.
 */
export async function startService({
  env = {},
  learns = false,
  isStopping = () => false,
  ...overrides
}: ServiceOptions = {}): Promise<Service> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'profile-service-test-'))
  const config = readConfig({
    LOG_LEVEL: 'silent',
    ENV_FILE: '',
    ...(await databaseEnvironment(dataDir)),
    ...env,
    DATA_DIR: dataDir,
  })
  const context = await openContext(config, {
    models: await createFakeModels(),
    ...(!learns && { openerPolicy: FIXED_POLICY }),
    exemplars: NO_EXEMPLARS,
    ...overrides,
  })
  const apiKey = await createFirstOrganization({ ...context, dataDir }, context.clock())
  const server = http.createServer(createApp(context, { isStopping }))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    baseUrl,
    apiKey: apiKey!,
    context,
    post: async (route, body, headers = {}) => {
      const response = await fetch(baseUrl + route, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${apiKey}`,
          'Content-Type': 'application/json',
          ...headers,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, body: parseJson(text) }
    },
    untilRead: async (bytes) => {
      const [request] = (await once(server, 'request')) as [http.IncomingMessage]
      const isTaken = () =>
        request.readableFlowing && request.socket.bytesRead >= bytes && request.readableLength === 0
      while (!isTaken()) await new Promise((resolve) => setImmediate(resolve))
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await context.close()
      await dropTestDatabase(dataDir)
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A bundled photo as a `data:` URL. */
export async function dataUrl(file = 'cat.jpg'): Promise<string> {
  const bytes = await readFile(path.join('examples', 'photos', file))
  return `data:image/jpeg;base64,${bytes.toString('base64')}`
}
