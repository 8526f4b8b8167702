import { writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { startUpCall } from '../../inference/call.js'
import { embedPeople, type Person, type Term } from '../../match/person.js'
import { personFactsOf } from '../eval/person-facts.js'
import { readProfiles } from '../eval/read-profiles.js'
import { openConfiguredService } from '../eval/service-under-test.js'
import { probeTextSpace } from './probe-text-space.js'

/**
 * Writes the training data of `models/clip-lite/recipe/fit_learned_entries.py`:
 * `node scripts/tool.js training/export-profile-terms FILE.jsonl OUT`. `OUT.f32` has the centered embeddings of all terms, [terms, d]
 * float32; `OUT.json` has their texts and each person's lists as row numbers.
 */

const LISTS = ['interests', 'lifestyle', 'photoTags', 'sentences'] as const

const [file, out] = process.argv.slice(2)
if (!file || !out) {
  console.error('Usage: node scripts/tool.js training/export-profile-terms FILE.jsonl OUT')
  process.exit(2)
}
const profiles = path.resolve(file)
const target = path.resolve(out)

const { pairs, sha256 } = readProfiles(profiles)
const service = await openConfiguredService()
const numbers: Map<string, number> = new Map()
const embeddings: Float32Array[] = []
try {
  const { context } = service
  const similarity = await context.textSimilarity()
  const rows = []
  for (const { sender, recipient } of pairs) {
    const facts = [personFactsOf(sender), personFactsOf(recipient)] as const
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

function numberTerms(person: Person) {
  return Object.fromEntries(LISTS.map((list) => [list, person[list].map(numberOf)]))
}

function numberOf({ text, centered }: Term) {
  const known = numbers.get(text)
  if (known !== undefined) return known
  numbers.set(text, embeddings.length)
  embeddings.push(centered)
  return embeddings.length - 1
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array) {
  return Buffer.from(buffer, byteOffset, byteLength)
}
