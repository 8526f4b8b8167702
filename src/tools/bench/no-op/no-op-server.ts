import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import express from 'express'
import { createApp } from '../../../http/app.js'
import { errorHandler } from '../../../http/error-response.js'
import { sendQuotaHeaders } from '../../../http/quota-headers.js'
import { traceRequests } from '../../../http/trace-requests.js'
import { openNoOpContext, openNoOpService, serveNoOp } from './no-op-service.js'

/** First message of the server to its parent. */
export interface NoOpServerReady {
  port: number
  apiKey: string
}

/** Answer to any message of the parent. */
export interface NoOpServerUsage {
  cpu: NodeJS.CpuUsage
}

/** How a server is told what it serves: JSON in its only argument. */
export interface NoOpServerSettings {
  dataDir: string
  /** Variables of the configuration besides the folder. */
  variables?: Readonly<Record<string, string>> | undefined
  /** Key that another server on the same database has created; without it, the server creates one. */
  apiKey?: string | undefined
}

/**
 * Serves a call that computes nothing, through all stages of a call (/metered) and through none of them (/bare), and the API itself, of
 * which reports of events need no models.
 */
const settings = JSON.parse(process.argv[2]!) as NoOpServerSettings
const { context, apiKey } = await open(settings)
const app = express()
app.disable('x-powered-by')
app.set('etag', false)
app.post('/bare', express.json(), (_request, response) => {
  response.json({ request_id: 'req_000000000000000000000000' })
})
app.post('/metered', traceRequests(context), sendQuotaHeaders(), serveNoOp(context))
app.use(createApp(context))
app.use(errorHandler(context.log))
const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
process.send?.({ port, apiKey } satisfies NoOpServerReady)
process.on('message', () => {
  process.send?.({ cpu: process.cpuUsage() } satisfies NoOpServerUsage)
})
process.on('disconnect', () => process.exit())

async function open({ dataDir, variables = {}, apiKey: known }: NoOpServerSettings) {
  if (known === undefined) return openNoOpService(dataDir, variables)
  return { context: await openNoOpContext(dataDir, variables), apiKey: known }
}
