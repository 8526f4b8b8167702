import { createProfileClient, hashEndUserId } from 'profile-intelligence-client'

const client = createProfileClient({
  baseUrl: 'http://127.0.0.1:8080',
  apiKey: process.env.PROFILE_API_KEY!,
})

const { accepted } = await client.reportEvents([
  {
    ts: new Date().toISOString(),
    end_user_id: await hashEndUserId('user-1'),
    event: 'opener_sent',
    idempotency_key: crypto.randomUUID(),
    context: { originating_request_id: process.env.REQUEST_ID!, opener_index: 0 },
  },
])
console.log(`${accepted} accepted`)
