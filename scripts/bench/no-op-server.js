import http from 'node:http'
import process from 'node:process'
import express from 'express'
import { errorHandler } from '../../dist/http/error-response.js'
import { traceRequests } from '../../dist/telemetry/request-trace.js'
import { noOpEndpoint, openNoOpContext } from './no-op-service.js'

/** Serves a call that computes nothing, behind the whole path of a call (/metered) and behind none of it (/bare). */
const [dataDir = ''] = process.argv.slice(2)
const { context, apiKey } = await openNoOpContext(dataDir)
const app = express()
app.disable('x-powered-by')
app.set('etag', false)
app.post('/bare', express.json(), (_request, response) => {
  response.json({ request_id: 'req_000000000000000000000000' })
})
app.post('/metered', traceRequests(context), noOpEndpoint.handler(context))
app.use(errorHandler(context.log))
const server = http.createServer(app)
server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: server.address().port, apiKey })
})
process.on('message', () => process.send?.({ cpu: process.cpuUsage() }))
process.on('disconnect', () => process.exit())
