import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import express from 'express'
import { errorHandler } from '../../../http/error-response.js'
import { sendQuotaHeaders } from '../../../http/quota-headers.js'
import { traceRequests } from '../../../http/trace-requests.js'
import { openNoOpService, serveNoOp } from './no-op-service.js'

/** First message of the server to its parent. */
export interface NoOpServerReady {
  port: number
  apiKey: string
}

/** Answer to any message of the parent. */
export interface NoOpServerUsage {
  cpu: NodeJS.CpuUsage
}

/** Serves a call that computes nothing, through all stages of a call (/metered) and through none of them (/bare). */
const [dataDir = ''] = process.argv.slice(2)
const { context, apiKey } = await openNoOpService(dataDir)
const app = express()
app.disable('x-powered-by')
app.set('etag', false)
app.post('/bare', express.json(), (_request, response) => {
  response.json({ request_id: 'req_000000000000000000000000' })
})
app.post('/metered', traceRequests(context), sendQuotaHeaders(), serveNoOp(context))
app.use(errorHandler(context.log))
const server = app.listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
process.send?.({ port, apiKey } satisfies NoOpServerReady)
process.on('message', () => {
  process.send?.({ cpu: process.cpuUsage() } satisfies NoOpServerUsage)
})
process.on('disconnect', () => process.exit())
