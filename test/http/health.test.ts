import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from '@jest/globals'
import type { Replica } from '../../src/database/postgres/replica.js'
import { createApp } from '../../src/http/app.js'
import { readJson } from '../_read-json.js'
import { createFakeModels } from './_fake-models.js'
import { dataUrl, startService, type Service } from './_service.js'

describe('health and metrics', () => {
  let service: Service
  afterEach(() => service.close())

  const get = (path: string, headers = {}) => fetch(service.baseUrl + path, { headers })

  it('are alive and ready once the models are loaded', async () => {
    service = await startService()
    expect((await get('/healthz')).status).toBe(200)
    const ready = await get('/readyz')
    expect(ready.status).toBe(200)
    expect((await readJson(ready)).models).toHaveLength(2)
  })

  it('are alive but not ready while a model loads', async () => {
    const models = await createFakeModels()
    const [vision, language] = models.status()
    models.status = () => [{ ...vision!, state: 'starting' }, language!]
    service = await startService({ models })
    expect((await get('/healthz')).status).toBe(200)
    expect((await get('/readyz')).status).toBe(503)
  })

  it('are not ready before the warm-up has finished', async () => {
    const models = await createFakeModels()
    const { vision } = await createFakeModels()
    let finish = () => {}
    const held = new Promise<void>((resolve) => (finish = resolve))
    models.vision.embedCaptions = (...captions) =>
      held.then(() => vision.embedCaptions(...captions))
    service = await startService({ models })
    const warmUp = service.context.warmUp()
    expect((await get('/readyz')).status).toBe(503)
    finish()
    await warmUp
    expect((await get('/readyz')).status).toBe(200)
  })

  it('are alive but not ready as soon as the service stops', async () => {
    let isStopping = false
    service = await startService({ isStopping: () => isStopping })
    expect((await get('/readyz')).status).toBe(200)
    isStopping = true
    expect((await get('/healthz')).status).toBe(200)
    const ready = await get('/readyz')
    expect(ready.status).toBe(503)
    const stopping = { status: 'stopping', reason: 'the service is stopping', storage: 'ok' }
    expect(await readJson(ready)).toMatchObject(stopping)
  })

  it('are alive but not ready while the other replicas presume this one dead', async () => {
    service = await startService()
    const replica = { isPresumedDead: true } as Replica
    const server = createApp({ ...service.context, replica }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      expect((await fetch(`${baseUrl}/healthz`)).status).toBe(200)
      const ready = await fetch(`${baseUrl}/readyz`)
      expect(ready.status).toBe(503)
      expect((await readJson(ready)).reason).toBe('the other replicas presume this one dead')
    } finally {
      server.closeAllConnections()
      server.close()
    }
  })

  it('still serve calls that arrive while the service stops', async () => {
    service = await startService({ isStopping: () => true })
    const body = { user: { id: 'u', photos: [await dataUrl()], bio: 'I bake sourdough.' } }
    expect((await service.post('/v1/profile/infer-preferences', body)).status).toBe(200)
  })

  it('require the token for metrics', async () => {
    service = await startService({ env: { METRICS_TOKEN: 'a-token-of-some-length' } })
    expect((await get('/metrics')).status).toBe(401)
    const answer = await get('/metrics', { Authorization: 'Bearer a-token-of-some-length' })
    expect(await answer.text()).toContain('pis_requests_total')
  })

  it('serve no metrics on the API port unless a token is configured', async () => {
    service = await startService()
    expect((await get('/metrics')).status).toBe(404)
  })
})
