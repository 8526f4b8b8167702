import { createHash, randomUUID } from 'node:crypto'
import { adminCommand } from '../../src/cli/admin-command.js'
import { dataUrl, startService, type Service } from '../http/_service.js'

export interface Partner {
  name: string
  organizationId: string
  apiKey: string
  /** An end user for whom the partner reported an event. */
  endUser: string
  requestId: string
}

export interface TwoPartners {
  service: Service
  leaving: Partner
  staying: Partner
  /** Runs an admin command beside the running service; `typed` is the input to its question. */
  admin: (args: string[], typed?: string) => Promise<string>
  /** Reports an event and returns the HTTP status. */
  send: (partner: Partner) => Promise<number>
}

/** Starts a service with two partners, each with a key, a call with an idempotency key, and an event about it. */
export async function startTwoPartners(): Promise<TwoPartners> {
  const service = await startService()
  const admin = async (args: string[], typed = '') => {
    let printed = ''
    const print = (text: string) => void (printed += text)
    const terminal = { out: print, error: print, ask: async () => typed }
    await adminCommand(service.context.config, terminal).parseAsync(args, { from: 'user' })
    return printed
  }
  const json = async (...args: string[]) =>
    JSON.parse(await admin([...args, '--json'])) as Record<string, string>
  const send = async ({ apiKey, endUser, requestId }: Partner) => {
    const record = {
      ts: new Date().toISOString(),
      end_user_id: endUser,
      event: 'opener_sent',
      idempotency_key: randomUUID(),
      context: { originating_request_id: requestId, opener_index: 0 },
    }
    const headers = { Authorization: `Bearer ${apiKey}` }
    return (await service.post('/v1/events', [record], headers)).status
  }
  const createPartner = async (name: string): Promise<Partner> => {
    const { organization_id = '' } = await json('org', 'create', name, '--plan', 'scale')
    const { api_key = '' } = await json('key', 'create', name, '--name', `Key of ${name}`)
    const body = {
      sender: { id: 's', name: 'Sam' },
      recipient: { id: 'r', photos: [await dataUrl()], bio: 'My cat and I like sourdough.' },
    }
    const answer = await service.post('/v1/conversation/openers', body, {
      Authorization: `Bearer ${api_key}`,
      'X-Idempotency-Key': randomUUID(),
    })
    return {
      name,
      organizationId: organization_id,
      apiKey: api_key,
      endUser: createHash('sha256').update(name).digest('hex'),
      requestId: answer.body.request_id as string,
    }
  }
  const leaving = await createPartner('Canary Dating')
  const staying = await createPartner('Evergreen Dating')
  for (const partner of [leaving, staying]) await send(partner)
  return { service, leaving, staying, admin, send }
}
