import { readFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { prepare, prepareClient, projectDir } from './prepare.js'
import { PEOPLE } from './demo/people.js'
import { accent, bold, chapter, dim, wrap } from './demo/terminal.js'

/**
 * Plays the whole loop against a running server, with invented people and the bundled photos, and prints it for a
 * person to read. Start the server with `npm start` first.
 *
 * With `--history` it fills a database of its own with an invented year instead, for the portal to show.
 */

prepare()
if (process.argv.includes('--history')) {
  const { fillHistory } = await import('./demo/history.js')
  await fillHistory(process.argv.slice(2)).then(
    () => process.exit(),
    (error) => fail(error.message),
  )
}
prepareClient()
const { createProfileClient } = await import('../client/dist/index.js')
const { readConfig } = await import('../dist/config/config.js')
const { reportOutcomes } = await import('./demo/outcomes.js')

const config = readConfig()
const baseUrl = process.env.BASE_URL || `http://${config.host}:${config.port}`
const client = createProfileClient({ baseUrl, apiKey: process.env.API_KEY || readFirstKey() })

await main().catch((error) => fail(error.message))

async function main() {
  await checkServer()
  console.log(`\n${bold('Profile Intelligence Service')} ${dim(`at ${baseUrl}`)}`)
  console.log(dim('Three invented people, the bundled photos, models on this machine.'))

  chapter('1', 'Who are they?', 'POST /v1/profile/infer-preferences')
  const sam = await introduce(PEOPLE.sam)
  const maya = await introduce(PEOPLE.maya)
  const june = await introduce(PEOPLE.june)

  chapter('2', 'Do they match?', 'POST /v1/match/evaluate')
  await compare(PEOPLE.sam, sam, PEOPLE.maya, maya)
  await compare(PEOPLE.sam, sam, PEOPLE.june, june)
  await compare(PEOPLE.maya, maya, PEOPLE.june, june)

  chapter('3', 'What does Sam write to Maya?', 'POST /v1/conversation/openers, streamed')
  const toMaya = await streamOpeners(PEOPLE.sam, sam, PEOPLE.maya, 'playful')
  chapter('4', 'And Maya to June?', 'the same call, another tone')
  const toJune = await streamOpeners(PEOPLE.maya, maya, PEOPLE.june, 'warm')

  chapter('5', 'What came of it?', 'POST /v1/events')
  await reportOutcomes({ client, dataDir: config.dataDir }, { toMaya, toJune })

  console.log(
    dim('\nThat is the loop. The calls are described in README.md; nothing left this machine.\n'),
  )
}

/** @typedef {typeof PEOPLE.sam} Person */
/** @typedef {{ interests: string[], lifestyle: string[] }} Preferences */

/** @returns {Promise<Preferences>} */
async function introduce(/** @type {Person} */ person) {
  const { answer, milliseconds } = await timed(
    client.inferPreferences({
      user: { id: person.id, photos: photosOf(person), bio: person.bio },
    }),
  )
  console.log(
    `\n${bold(person.name)} ${dim(`· ${person.photoFiles.join(', ')} · ${milliseconds} ms`)}`,
  )
  console.log(wrap(`“${person.bio}”`))
  console.log(`  interests  ${accent(answer.preferences.interests.join(', ') || '–')}`)
  console.log(`  lifestyle  ${accent(answer.preferences.lifestyle.join(', ') || '–')}`)
  for (const piece of answer.evidence.slice(0, 4)) {
    const from = piece.source === 'photo' ? `photo ${piece.photo + 1}` : 'the bio'
    console.log(
      dim(
        `             ${piece.value}: from ${from}, ${Math.round(piece.confidence * 100)} % sure`,
      ),
    )
  }
  return answer.preferences
}

/**
 * @param {Person} a
 * @param {Preferences} preferencesA
 * @param {Person} b
 * @param {Preferences} preferencesB
 */
async function compare(a, preferencesA, b, preferencesB) {
  const user = (/** @type {Person} */ person, /** @type {Preferences} */ preferences) => ({
    id: person.id,
    photos: photosOf(person),
    bio: person.bio,
    preferences,
  })
  const { answer, milliseconds } = await timed(
    client.evaluateMatch({ user_a: user(a, preferencesA), user_b: user(b, preferencesB) }),
  )
  const filled = Math.round(answer.confidence * 20)
  const bar = accent('█'.repeat(filled)) + dim('░'.repeat(20 - filled))
  console.log(
    `\n${bold(`${a.name} & ${b.name}`.padEnd(14))} ${bar} ${answer.confidence.toFixed(2)} ${dim(`· ${answer.reason_category} · ${milliseconds} ms`)}`,
  )
  console.log(wrap(answer.reason))
}

/**
 * @param {Person} sender
 * @param {Preferences} preferences
 * @param {Person} recipient
 * @param {'playful' | 'warm'} tone
 */
async function streamOpeners(sender, preferences, recipient, tone) {
  const startedAt = performance.now()
  let requestId = ''
  const stream = client.streamOpeners({
    sender: { id: sender.id, name: sender.name, preferences },
    recipient: { id: recipient.id, photos: photosOf(recipient), bio: recipient.bio },
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

/**
 * @template T
 * @param {Promise<T>} call
 */
async function timed(call) {
  const startedAt = performance.now()
  const answer = await call
  return { answer, milliseconds: Math.round(performance.now() - startedAt) }
}

async function checkServer() {
  const ready = await fetch(`${baseUrl}/readyz`).catch(() => undefined)
  if (ready?.ok) return
  fail(
    ready
      ? 'The server is still loading its models. Try again in a moment.'
      : `No server answers at ${baseUrl}. Start it with: npm start`,
  )
}

function readFirstKey() {
  try {
    return readFileSync(path.join(config.dataDir, 'first-key'), 'utf8').trim()
  } catch {
    fail('There is no first-key file yet. Start the server with: npm start')
  }
}

function photosOf(/** @type {Person} */ person) {
  return person.photoFiles.map((file) => {
    const bytes = readFileSync(path.join(projectDir, 'examples', 'photos', file))
    return `data:image/jpeg;base64,${bytes.toString('base64')}`
  })
}

/** @returns {never} */
function fail(/** @type {string} */ message) {
  console.error(`\n${message}`)
  process.exit(1)
}
