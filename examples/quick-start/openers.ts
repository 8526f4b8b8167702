import { readFile } from 'node:fs/promises'
import { createProfileClient } from 'profile-intelligence-client'

const client = createProfileClient({
  baseUrl: 'http://127.0.0.1:8080',
  apiKey: process.env.PROFILE_API_KEY!,
})

const photo = await readFile('photo.jpg', 'base64')
const openers = client.streamOpeners({
  sender: { id: 'user-1', name: 'Sam' },
  recipient: {
    id: 'user-2',
    bio: 'Weekend climber, weekday data analyst. My cat supervises every video call.',
    photos: [`data:image/jpeg;base64,${photo}`],
  },
})
for await (const { event, data } of openers) {
  if (event === 'opener') console.log(`${data.style}: ${data.text}`)
  if (event === 'done') console.log(data.request_id)
}
