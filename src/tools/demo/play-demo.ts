import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import {
  createProfileClient,
  type Preferences,
  type ProfileClient,
  type Tone,
} from 'profile-intelligence-client'
import { readConfig, type Config } from '../../config/config.js'
import { PEOPLE, readPhotos, type Person } from './people.js'
import { reportOutcomes } from './report-outcomes.js'
import { accent, bold, dim, printChapter, wrap } from './terminal.js'

const BAR_LENGTH = 20
const MAX_EVIDENCE = 4

/**
 * Plays the whole loop against a running server, with invented people and the bundled photos, and prints it.
 * @throws with advice when the server does not run or is not ready
 */
export async function playDemo(): Promise<void> {
  const config = readConfig()
  const baseUrl = process.env.BASE_URL || `http://${config.host}:${config.port}`
  const apiKey = process.env.API_KEY || readFirstKey(config)
  const client = createProfileClient({ baseUrl, apiKey })
  await checkServer(baseUrl)
  console.log(`\n${bold('Profile Intelligence Service')} ${dim(`at ${baseUrl}`)}`)
  console.log(dim('Three invented people, the bundled photos, models on this machine.'))

  printChapter('1', 'Who are they?', 'POST /v1/profile/infer-preferences')
  const sam = await inferPreferences(client, PEOPLE.sam)
  const maya = await inferPreferences(client, PEOPLE.maya)
  const june = await inferPreferences(client, PEOPLE.june)

  printChapter('2', 'Do they match?', 'POST /v1/match/evaluate')
  await evaluateMatch(client, sam, maya)
  await evaluateMatch(client, sam, june)
  await evaluateMatch(client, maya, june)

  printChapter('3', 'What does Sam write to Maya?', 'POST /v1/conversation/openers, streamed')
  const toMaya = await streamOpeners(client, { sender: sam, recipient: maya, tone: 'playful' })
  printChapter('4', 'And Maya to June?', 'the same call, another tone')
  const toJune = await streamOpeners(client, { sender: maya, recipient: june, tone: 'warm' })

  printChapter('5', 'What came of it?', 'POST /v1/events')
  await reportOutcomes({ client, dataDir: config.dataDir }, { toMaya, toJune })

  console.log(
    dim('\nThat is the loop. The calls are described in README.md; nothing left this machine.\n'),
  )
}

function readFirstKey({ dataDir }: Pick<Config, 'dataDir'>): string {
  try {
    return readFileSync(path.join(dataDir, 'first-key'), 'utf8').trim()
  } catch (cause) {
    throw new Error(
      'There is no first-key file. Before the first start: npm start. Later the file is removed: create a test key in the portal or with `npm run admin -- key create`, and run API_KEY=sk_test_… npm run demo',
      { cause },
    )
  }
}

async function checkServer(baseUrl: string): Promise<void> {
  const ready = await fetch(`${baseUrl}/readyz`).catch(() => undefined)
  if (!ready) throw new Error(`No server answers at ${baseUrl}. Start it with: npm start`)
  if (!ready.ok) {
    throw new Error('The server is still loading its models. Try again in a moment.')
  }
}

/** A person whose preferences are known. */
interface KnownPerson {
  person: Person
  preferences: Preferences
}

async function inferPreferences(client: ProfileClient, person: Person): Promise<KnownPerson> {
  const { answer, milliseconds } = await timed(
    client.inferPreferences({
      user: { id: person.id, photos: readPhotos(person), bio: person.bio },
    }),
  )
  const { preferences, evidence } = answer
  console.log(
    `\n${bold(person.name)} ${dim(`· ${person.photoFiles.join(', ')} · ${milliseconds} ms`)}`,
  )
  console.log(wrap(`“${person.bio}”`))
  console.log(`  interests  ${accent(preferences.interests.join(', ') || '–')}`)
  console.log(`  lifestyle  ${accent(preferences.lifestyle.join(', ') || '–')}`)
  for (const { value, source, photo = 0, confidence } of evidence.slice(0, MAX_EVIDENCE)) {
    const origin = source === 'photo' ? `photo ${photo + 1}` : 'the bio'
    console.log(
      dim(`             ${value}: from ${origin}, ${Math.round(confidence * 100)} % sure`),
    )
  }
  return { person, preferences }
}

async function evaluateMatch(client: ProfileClient, a: KnownPerson, b: KnownPerson): Promise<void> {
  const { answer, milliseconds } = await timed(
    client.evaluateMatch({ user_a: toUser(a), user_b: toUser(b) }),
  )
  const { confidence, reason, reason_category: category } = answer
  const names = bold(`${a.person.name} & ${b.person.name}`.padEnd(14))
  const details = dim(`· ${category} · ${milliseconds} ms`)
  console.log(`\n${names} ${drawBar(confidence)} ${confidence.toFixed(2)} ${details}`)
  console.log(wrap(reason))
}

function toUser({ person, preferences }: KnownPerson) {
  return { id: person.id, photos: readPhotos(person), bio: person.bio, preferences }
}

function drawBar(fraction: number): string {
  const filled = Math.round(fraction * BAR_LENGTH)
  return accent('█'.repeat(filled)) + dim('░'.repeat(BAR_LENGTH - filled))
}

/** Prints openers as they arrive. Returns the id of the request. */
async function streamOpeners(
  client: ProfileClient,
  { sender, recipient, tone }: { sender: KnownPerson; recipient: KnownPerson; tone: Tone },
): Promise<string> {
  const startedAt = performance.now()
  const { id, bio } = recipient.person
  let requestId = ''
  const stream = client.streamOpeners({
    sender: { id: sender.person.id, name: sender.person.name, preferences: sender.preferences },
    recipient: { id, photos: readPhotos(recipient.person), bio },
    tone,
  })
  for await (const { event, data } of stream) {
    if (event === 'done') requestId = data.request_id
    if (event !== 'opener') continue
    const milliseconds = Math.round(performance.now() - startedAt)
    console.log(
      `\n${accent(data.style)} ${dim(`after ${milliseconds} ms`)}\n${wrap(bold(data.text))}`,
    )
  }
  return requestId
}

async function timed<T>(call: Promise<T>): Promise<{ answer: T; milliseconds: number }> {
  const startedAt = performance.now()
  const answer = await call
  return { answer, milliseconds: Math.round(performance.now() - startedAt) }
}
