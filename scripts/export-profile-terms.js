import { writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { prepare } from './prepare.js'
import { probeTextSpace } from './probe-text-space.js'

/**
 * Writes the training data of `models/clip-lite/recipe/fit_learned_entries.py`:
 * `node scripts/export-profile-terms.js FILE.jsonl OUT`. `OUT.f32` has the centered embeddings of all terms, [terms, d]
 * float32; `OUT.json` has their texts and each person's lists as row numbers.
 */

const LISTS = /** @type {const} */ (['interests', 'lifestyle', 'photoTags', 'sentences'])

const [file, out] = process.argv.slice(2)
if (!file || !out) {
  console.error('Usage: node scripts/export-profile-terms.js FILE.jsonl OUT')
  process.exit(2)
}
const profiles = path.resolve(file)
const target = path.resolve(out)
prepare()
const { factsOf } = await import('./eval/match-facts.js')
const { readProfiles } = await import('./eval/read-profiles.js')
const { openConfiguredService } = await import('./eval/service-under-test.js')
const { startUpCall } = await import('../dist/inference/call.js')
const { embedPeople } = await import('../dist/match/person.js')

const { pairs, sha256 } = readProfiles(profiles)
const service = await openConfiguredService()
/** @type {Map<string, number>} */
const numbers = new Map()
/** @type {Float32Array[]} */
const embeddings = []
try {
  const { context } = service
  const similarity = await context.textSimilarity()
  const rows = []
  for (const { sender, recipient } of pairs) {
    const facts = /** @type {const} */ ([factsOf(sender), factsOf(recipient)])
    const [a, b] = await embedPeople(facts, similarity, startUpCall())
    rows.push({ a: numberTerms(a), b: numberTerms(b) })
  }
  const data = {
    data: `sha256 ${sha256}`,
    size: embeddings[0]?.length,
    probe: await probeTextSpace(similarity, startUpCall()),
    texts: [...numbers.keys()],
    rows,
  }
  writeFileSync(`${target}.json`, JSON.stringify(data))
  writeFileSync(`${target}.f32`, Buffer.concat(embeddings.map(bytesOf)))
  console.log(`${rows.length} pairs, ${embeddings.length} terms`)
} finally {
  await service.close()
}

/** @param {import('../dist/match/person.js').Person} person */
function numberTerms(person) {
  return Object.fromEntries(LISTS.map((list) => [list, person[list].map(numberOf)]))
}

/** @param {import('../dist/match/person.js').Term} term */
function numberOf({ text, centered }) {
  const known = numbers.get(text)
  if (known !== undefined) return known
  numbers.set(text, embeddings.length)
  embeddings.push(centered)
  return embeddings.length - 1
}

function bytesOf(/** @type {Float32Array} */ { buffer, byteOffset, byteLength }) {
  return Buffer.from(buffer, byteOffset, byteLength)
}
