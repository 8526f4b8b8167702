import http from 'node:http'
import process from 'node:process'
import { createApp } from '../../dist/http/app.js'
import { readConfig } from '../../dist/config/config.js'
import { openContext } from '../../dist/context.js'

/** Serves the portal of a data folder, without loading models. */
const [dataDir = '', port = '0'] = process.argv.slice(2)
const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
const context = await openContext(config)
const server = http.createServer(createApp(context))
server.listen(Number(port), '127.0.0.1', () => process.send?.({ port: server.address().port }))
process.on('disconnect', () => void context.close().then(() => process.exit()))
