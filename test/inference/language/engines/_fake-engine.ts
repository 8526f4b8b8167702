import http from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineName } from '../../../../src/config/language-engine-settings.js'
import { CHAT_TEMPLATE, detokenizeTiny, tokenizeTiny } from './_tiny-vocabulary.js'

type Body = Record<string, unknown>

/** What a test changes while the engine runs. */
export interface FakeBehaviour {
  /** Writes the answer to a prompt, as text. */
  write: (prompt: string) => string
  /** Status of completions. */
  status: number
  delayMs: number
  /** Name of the model, or of its file at llama-server. */
  model: string
  tokenize: (text: string) => number[]
  /** Bytes added to an answer. */
  ballast: number
  /** In Prometheus' format; undefined: there are none. */
  metrics: string | undefined
}

export interface FakeEngine {
  url: string
  behaviour: FakeBehaviour
  /** Bodies of completions of calls, oldest first; those of checks are left out. */
  requests: Body[]
  /** `Connection` headers of all completions. */
  connections: (string | undefined)[]
  /** Completions that were closed by the client before the answer. */
  aborted: () => number
  /** Resets all connections and listens no more. */
  kill: () => Promise<void>
  /** Listens again, on the same port. */
  revive: () => Promise<void>
}

/** Fields of a completion, by engine; a real engine may take more. */
const FIELDS: Record<EngineName, readonly string[]> = {
  vllm: 'model prompt max_tokens temperature min_p top_p top_k seed stop stop_token_ids logprobs cache_salt'.split(
    ' ',
  ),
  sglang:
    'model prompt max_tokens temperature min_p top_p top_k seed stop stop_token_ids logprobs cache_salt'.split(
      ' ',
    ),
  'llama-server':
    'prompt n_predict temperature min_p top_p top_k seed stop samplers n_probs post_sampling_probs cache_prompt stream response_fields'.split(
      ' ',
    ),
}

const TOKENIZE_FIELDS: Record<EngineName, readonly string[]> = {
  vllm: ['model', 'prompt', 'add_special_tokens'],
  sglang: ['model', 'prompt', 'add_special_tokens'],
  'llama-server': ['content', 'add_special', 'parse_special'],
}

/** Probability of every sampled token. */
export const PROBABILITY = 0.5
const KEY = 'test-key'
export const ENGINE_KEY = KEY

/**
 * Speaks the protocol of an engine as its sources have it, and refuses with 400 what the service should not send: unknown fields
 * and prompts as text.
 */
export async function startFakeEngine(
  engine: EngineName,
  changes: Partial<FakeBehaviour> = {},
): Promise<FakeEngine> {
  const behaviour: FakeBehaviour = {
    write: () => 'An answer.',
    status: 200,
    delayMs: 0,
    model: engine === 'llama-server' ? 'tiny.gguf' : 'openers',
    tokenize: tokenizeTiny,
    ballast: 0,
    metrics: undefined,
    ...changes,
  }
  const requests: Body[] = []
  const connections: FakeEngine['connections'] = []
  const sockets = new Set<Socket>()
  let aborted = 0

  async function complete(body: Body, response: http.ServerResponse): Promise<void> {
    const limit = Number(body.max_tokens ?? body.n_predict)
    // The check asks for one token.
    if (limit > 1) requests.push(body)
    response.on('close', () => void (response.writableFinished || (aborted += 1)))
    await sleep(behaviour.delayMs, undefined, { ref: false })
    if (behaviour.status !== 200) return reply(response, behaviour.status, { error: 'failed' })
    const prompt = body.prompt
    if (!isTokens(prompt)) return reply(response, 400, { error: 'the prompt must be token ids' })
    const written = behaviour.write(detokenizeTiny(prompt))
    const stops = body.stop as string[]
    const ends = stops.map((stop) => written.indexOf(stop)).filter((at) => at >= 0)
    const whole = ends.length > 0 ? written.slice(0, Math.min(...ends)) : written
    const tokens = tokenizeTiny(whole)
    const isCut = tokens.length >= limit
    const text = isCut ? detokenizeTiny(tokens.slice(0, limit)) : whole
    // The end token or the stop text counts.
    const count = isCut ? limit : tokens.length + 1
    const answer = { text, count, isCut, cached: prompt.length - 1 }
    if (engine === 'llama-server') return streamAnswer(response, answer)
    reply(response, 200, {
      object: 'text_completion',
      model: behaviour.model,
      choices: [
        {
          index: 0,
          text,
          finish_reason: isCut ? 'length' : 'stop',
          logprobs: {
            tokens: Array(count).fill('x'),
            token_logprobs: Array(count).fill(Math.log(PROBABILITY)),
          },
        },
      ],
      usage: {
        prompt_tokens: prompt.length,
        completion_tokens: count,
        prompt_tokens_details: { cached_tokens: answer.cached },
      },
      ballast: 'x'.repeat(behaviour.ballast),
    })
  }

  function streamAnswer(
    response: http.ServerResponse,
    { text, count, isCut, cached }: { text: string; count: number; isCut: boolean; cached: number },
  ): void {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    for (let index = 0; index < count; index++) {
      const event = {
        index: 0,
        content: index === 0 ? text : '',
        stop: false,
        completion_probabilities: [{ id: 1, prob: PROBABILITY }],
      }
      response.write(`data: ${JSON.stringify(event)}\n\n`)
    }
    if (behaviour.ballast > 0) response.write(`: ${'x'.repeat(behaviour.ballast)}\n\n`)
    const last = { stop: true, stop_type: isCut ? 'limit' : 'eos', timings: { cache_n: cached } }
    response.end(`data: ${JSON.stringify(last)}\n\n`)
  }

  function describe(route: string): unknown {
    const model = behaviour.model
    switch (`${engine} ${route}`) {
      case 'llama-server /props':
        return { model_path: `/models/${model}`, chat_template: CHAT_TEMPLATE }
      case 'llama-server /lora-adapters':
        return []
      case 'llama-server /v1/models':
        return {
          data: [
            { id: model, aliases: [], meta: { n_vocab: 260, n_params: 4, size: 16, n_ctx: 1_024 } },
          ],
        }
      case 'vllm /v1/models':
      case 'sglang /v1/models':
        return { object: 'list', data: [{ id: model, root: model, max_model_len: 1_024 }] }
      default:
        return undefined
    }
  }

  const completions = engine === 'llama-server' ? '/completion' : '/v1/completions'
  async function serve(
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> {
    const route = request.url ?? ''
    if (request.headers.authorization !== `Bearer ${KEY}`) return reply(response, 401, {})
    if (request.method === 'GET' && route === '/metrics' && behaviour.metrics !== undefined) {
      return void response.end(behaviour.metrics)
    }
    if (request.method === 'GET') {
      const answer = describe(route)
      return reply(response, answer ? 200 : 404, answer ?? {})
    }
    const body = await readJson(request)
    const fields = route === '/tokenize' ? TOKENIZE_FIELDS[engine] : FIELDS[engine]
    const unknown = Object.keys(body).filter((field) => !fields.includes(field))
    if (unknown.length > 0) return reply(response, 400, { error: `unknown: ${unknown.join()}` })
    if (engine !== 'llama-server' && body.model !== behaviour.model) return reply(response, 404, {})
    if (route === '/tokenize') {
      return reply(response, 200, {
        tokens: behaviour.tokenize(String(body.prompt ?? body.content)),
      })
    }
    if (route === completions) {
      connections.push(request.headers.connection)
      return complete(body, response)
    }
    reply(response, 404, {})
  }
  const server = http.createServer((request, response) => {
    // A killed engine reads no further.
    serve(request, response).catch(() => {})
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const listen = (port: number) =>
    new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    behaviour,
    requests,
    connections,
    aborted: () => aborted,
    kill: async () => {
      if (!server.listening) return
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.resetAndDestroy()
      await closed
    },
    revive: () => listen(port),
  }
}

function reply(response: http.ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

async function readJson(request: http.IncomingMessage): Promise<Body> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return JSON.parse(Buffer.concat(parts).toString()) as Body
}

function isTokens(prompt: unknown): prompt is number[] {
  return Array.isArray(prompt) && prompt.length > 0 && prompt.every(Number.isInteger)
}
