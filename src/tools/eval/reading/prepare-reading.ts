import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { OperatorError } from '../../../core/operator-error.js'
import { seededRandom } from '../../../core/seeded-random.js'
import { shuffle } from '../../statistics/shuffle.js'
import type { PackNames } from '../evaluation-report.js'
import type { Pair, ProfilePairs } from '../read-profiles.js'
import { openersBody } from '../request-bodies.js'
import { openService } from '../service-under-test.js'
import { showProgress } from '../show-progress.js'
import {
  composeReading,
  variantSchema,
  WRITTEN_BY_HAND,
  type SourceText,
  type Variant,
} from './blind-reading.js'

/** Openers of each source for a profile. */
const COUNT = 3

/** Always among the sources, so that readings can be compared: what the language model writes alone. */
const MODEL_ALONE = 'model alone'
const NOW = 'now'

export interface ReadingSettings {
  data: ProfilePairs
  packs: PackNames
  out: string
  /** Files that earlier readings wrote, by the name under which to show them. */
  variants: ReadonlyMap<string, string>
  seed: number
}

/** Writes the sheet for the readers, the key to it, and the openers of now for later readings. */
export async function prepareReading(settings: ReadingSettings): Promise<void> {
  const { data, packs, out, seed } = settings
  const earlier = [...settings.variants].map(([name, file]) => readVariant(name, file, data))
  const now = await collectOpeners(NOW, settings)
  const modelAlone = await collectOpeners(MODEL_ALONE, settings, { EXEMPLARS_RELEASE: 'false' })
  const byHand = chooseWritten(data.pairs, seed)
  const sources = [now, modelAlone, ...earlier, { name: WRITTEN_BY_HAND, openers: byHand }]
  const reading = composeReading(
    data.pairs.map(({ recipient, sender }, i) => ({
      recipient,
      senderLikes: [...sender.interests, ...sender.lifestyle],
      texts: sources.flatMap(({ name, openers }) =>
        openers[i]!.map((opener) => ({ ...opener, source: name })),
      ),
    })),
    seed,
  )
  const write = (name: string, content: string) => {
    const file = path.join(out, name)
    writeFileSync(file, content)
    return file
  }
  const json = (value: unknown) => `${JSON.stringify(value, undefined, 2)}\n`
  const sheet = write('reading.md', reading.sheet)
  write('key.json', json({ packs, seed, ...reading.key }))
  const answers = write('openers.json', json(now))
  console.log(`For the readers: ${sheet}, ${reading.key.messages.length} messages`)
  console.log(`Keep key.json from them. Then: npm run eval -- --out ${out} --grades FILE...`)
  console.log(`For later readings: --variant before=${answers}`)
}

async function collectOpeners(
  name: string,
  { data, packs }: ReadingSettings,
  environment: Readonly<Record<string, string>> = {},
): Promise<Variant> {
  const service = await openService(packs, environment)
  const openers: SourceText[][] = []
  try {
    for (const pair of showProgress(`openers, ${name}`, data.pairs)) {
      const body = openersBody(pair, { count: COUNT })
      const { answer } = await service.post('/v1/conversation/openers', body)
      // A refused bio gives no openers; the others of its profile are read all the same.
      openers.push((answer?.openers ?? []).map(({ style, text }) => ({ style, text })))
    }
  } finally {
    await service.close()
  }
  return { name, profiles: data.sha256, openers }
}

/** Hand-written openers of each pair, in a random choice of styles. */
function chooseWritten(pairs: readonly Pair[], seed: number): SourceText[][] {
  const random = seededRandom(seed + 1)
  return pairs.map(({ openers }) =>
    shuffle(Object.entries(openers) as [SourceText['style'], string][], random)
      .slice(0, COUNT)
      .map(([style, text]) => ({ style, text })),
  )
}

/** @throws OperatorError for a file of another kind or of other pairs */
function readVariant(name: string, file: string, data: ProfilePairs): Variant {
  const variant = variantSchema.safeParse(readJson(file)).data
  if (!variant) throw new OperatorError(`${file} holds no openers of an earlier reading.`)
  const { openers, profiles } = variant
  if (profiles !== data.sha256 || openers.length < data.pairs.length) {
    throw new OperatorError(`${file} is of other pairs than ${data.name}.`)
  }
  return { ...variant, name }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (cause) {
    throw new OperatorError(`${file} cannot be read as JSON.`, { cause })
  }
}
