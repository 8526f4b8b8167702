import type { Call } from './call.js'

/** A call as code. The key is always a variable, never the secret. */
export interface CodeSample {
  language: 'curl' | 'TypeScript'
  /** Runs as it is. */
  code: string
  /** `code` with shortened photos, for display. */
  shown: string
}

export function codeSamples(call: Call, baseUrl: string): CodeSample[] {
  const curl = (body: string) => curlSample(call, baseUrl, body)
  const typescript = (body: string) => typescriptSample(call, baseUrl, body)
  const whole = JSON.stringify(call.body, null, 2)
  const short = JSON.stringify(call.body, shortenPhotos, 2)
  return [
    { language: 'curl', code: curl(whole), shown: curl(short) },
    { language: 'TypeScript', code: typescript(whole), shown: typescript(short) },
  ]
}

const PATHS: Record<Call['capability'], string> = {
  'profile.infer_preferences': '/v1/profile/infer-preferences',
  'match.evaluate': '/v1/match/evaluate',
  'conversation.openers': '/v1/conversation/openers',
}

function curlSample({ capability }: Call, baseUrl: string, body: string): string {
  const streams = capability === 'conversation.openers'
  return [
    `curl -s${streams ? 'N' : ''} ${baseUrl}${PATHS[capability]} \\`,
    '  -H "Authorization: Bearer $PROFILE_API_KEY" \\',
    '  -H "Content-Type: application/json" \\',
    ...(streams ? ['  -H "Accept: text/event-stream" \\'] : []),
    // A body with photos exceeds the shell's limit for an argument.
    "  --data-binary @- <<'JSON'",
    body,
    'JSON',
  ].join('\n')
}

function typescriptSample({ capability }: Call, baseUrl: string, body: string): string {
  return [
    "import { createProfileClient } from 'profile-intelligence-client'",
    '',
    'const client = createProfileClient({',
    `  baseUrl: '${baseUrl}',`,
    '  apiKey: process.env.PROFILE_API_KEY!,',
    '})',
    '',
    ...TYPESCRIPT_CALLS[capability](body),
    '',
  ].join('\n')
}

const TYPESCRIPT_CALLS: Record<Call['capability'], (body: string) => string[]> = {
  'profile.infer_preferences': (body) => [
    `const { preferences, evidence } = await client.inferPreferences(${body})`,
    'console.log(preferences, evidence)',
  ],
  'match.evaluate': (body) => [
    `const match = await client.evaluateMatch(${body})`,
    'console.log(match.confidence, match.reason_category, match.reason)',
  ],
  'conversation.openers': (body) => [
    `const openers = client.streamOpeners(${body})`,
    'for await (const { event, data } of openers) {',
    "  if (event === 'opener') console.log(`${data.style}: ${data.text}`)",
    '}',
  ],
}

const SHOWN_CHARACTERS = 34

function shortenPhotos(_key: string, value: unknown): unknown {
  if (typeof value !== 'string' || !value.startsWith('data:image/')) return value
  return `${value.slice(0, SHOWN_CHARACTERS)}… (${Math.round(value.length / 1000)} kB)`
}
