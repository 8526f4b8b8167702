import { writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { startUpCall } from '../../inference/inference-call.js'
import { embedPeople, type Person, type Term } from '../../match/person.js'
import type { TextSimilarity } from '../../profile/text-similarity.js'
import type { SpaceProbe } from '../../profile/text-space.js'
import { roundTo } from '../../text/round-to.js'
import { personFactsOf } from '../eval/person-facts.js'
import { readProfiles } from '../eval/read-profiles.js'
import { openConfiguredService } from '../eval/service-under-test.js'

/**
 * Writes the training data of `models/clip-lite/recipe/fit_learned_entries.py`:
 * `node scripts/tool.js training/export-profile-terms FILE.jsonl… OUT`. `OUT.f32` holds the centered embeddings of all terms,
 * [terms, d] float32; `OUT.json` holds their texts and the lists of each person as row numbers.
 */

const LISTS = ['interests', 'lifestyle', 'photoTags', 'sentences'] as const
const PROBE_TEXT = 'A probe of the text space, neither kind nor unkind.'

/** Terms in the order in which they are first added. */
interface TermTable {
  /** Adds a term unless its text is known. Returns its row. */
  add(term: Term): number
  texts(): string[]
  /** One [d] float32 for each row. */
  embeddings: readonly Float32Array[]
}

const files = process.argv.slice(2, -1)
const out = process.argv.at(-1)
if (files.length === 0 || !out) {
  console.error('Usage: node scripts/tool.js training/export-profile-terms FILE.jsonl… OUT')
  process.exit(2)
}
const read = files.map((file) => readProfiles(path.resolve(file)))
const service = await openConfiguredService()
try {
  const similarity = await service.context.textSimilarity()
  const table = createTermTable()
  const rows = []
  for (const { sender, recipient } of read.flatMap(({ pairs }) => pairs)) {
    const facts = [personFactsOf(sender), personFactsOf(recipient)] as const
    const [a, b] = await embedPeople(facts, similarity, startUpCall())
    rows.push({ a: listRows(a, table), b: listRows(b, table) })
  }
  const data = {
    data: read.map(({ sha256 }) => `sha256 ${sha256}`).join(', '),
    size: table.embeddings[0]?.length,
    probe: await probeTextSpace(similarity),
    texts: table.texts(),
    rows,
  }
  writeFileSync(`${out}.json`, JSON.stringify(data))
  writeFileSync(`${out}.f32`, Buffer.concat(table.embeddings.map(bytesOf)))
  console.log(`${rows.length} pairs, ${table.embeddings.length} terms`)
} finally {
  await service.close()
}

function createTermTable(): TermTable {
  const rowOf = new Map<string, number>()
  const embeddings: Float32Array[] = []
  return {
    add({ text, centered }) {
      const known = rowOf.get(text)
      if (known !== undefined) return known
      rowOf.set(text, embeddings.length)
      return embeddings.push(centered) - 1
    },
    texts: () => [...rowOf.keys()],
    embeddings,
  }
}

function listRows(person: Person, table: TermTable): Record<string, number[]> {
  return Object.fromEntries(
    LISTS.map((list) => [list, person[list].map((term) => table.add(term))]),
  )
}

/** A text with its embedding, rounded to four decimals, to recognize the text space later. */
async function probeTextSpace(space: TextSimilarity): Promise<SpaceProbe> {
  const [embedding] = await space.embed([PROBE_TEXT], startUpCall())
  return { text: PROBE_TEXT, embedding: Array.from(embedding!, (value) => roundTo(value, 4)) }
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
