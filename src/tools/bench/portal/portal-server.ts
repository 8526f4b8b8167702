import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import process from 'node:process'
import { readConfig } from '../../../config/config.js'
import { openContext } from '../../../context.js'
import { createApp } from '../../../http/app.js'

/** First message of the server to its parent. */
export interface PortalServerReady {
  port: number
}

/** Serves the portal of a data folder until the parent disconnects, without loading models. */
const [dataDir = ''] = process.argv.slice(2)
const context = await openContext(readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }))
const server = createApp(context).listen(0, '127.0.0.1')
await once(server, 'listening')
const { port } = server.address() as AddressInfo
process.send?.({ port } satisfies PortalServerReady)
process.on('disconnect', () => void context.close().then(() => process.exit()))
